// Layers of imagery in the Terrain panel: visibility, opacity, order, removal, and the credit on the picture.
#include <gtest/gtest.h>

#include "tests/app/ui_support.h"

namespace orogen::app {
namespace {

// A panel over two pictures; edits of the layers are applied, as the session does.
class ImagerySection : public testing::Test
{
protected:
    void SetUp() override
    {
        add("fields.tif", "credit of fields");
        add("roads.png", "");
        headless_.onPass = [this](const UiActions& actions) {
            if (!actions.cover.changeLayers) return;
            ++edits_;
            std::vector<LayerState> states;
            for (const PictureLayer& layer : *actions.cover.changeLayers)
                states.push_back({layer, {}});
            headless_.model.cover.layers = std::move(states);
        };
        headless_.frames(2);
        headless_.unfoldAll();
    }
    void add(const char* name, const char* credit)
    {
        LayerState state;
        state.layer.name = name;
        state.credit = credit;
        headless_.model.cover.layers.push_back(state);
    }
    void click(const std::string& item)
    {
        headless_.click("Terrain/" + item);
        EXPECT_FALSE(headless_.ui->injector().takeFailure()) << item;
    }
    std::string names() const
    {
        std::string text;
        for (const LayerState& state : headless_.model.cover.layers)
            text += (text.empty() ? "" : " ") + state.layer.name;
        return text;
    }
    const PictureLayer& layer(std::size_t i) const { return headless_.model.cover.layers[i].layer; }

    HeadlessUi headless_;
    int edits_ = 0;
};

TEST_F(ImagerySection, ShowsAndHidesALayer)
{
    click("layer_1/visible");
    EXPECT_FALSE(layer(0).visible);
    EXPECT_TRUE(layer(1).visible);
    click("layer_1/visible");
    EXPECT_TRUE(layer(0).visible);
    EXPECT_EQ(edits_, 2);
}

TEST_F(ImagerySection, MovesALayerUpAndDown)
{
    click("layer_1/up");
    EXPECT_EQ(names(), "roads.png fields.tif");
    click("layer_2/down");
    EXPECT_EQ(names(), "fields.tif roads.png");
    click("layer_2/up");  // the highest: disabled
    click("layer_1/down");
    EXPECT_EQ(names(), "fields.tif roads.png");
    EXPECT_EQ(edits_, 2);
}

// A press draws all rows, so that nothing moves under the mouse.
TEST_F(ImagerySection, MovingALayerMovesNoRow)
{
    headless_.model.cover.layers[0].credit.clear();
    headless_.ui->injector().hover("Terrain/layer_1/up", 3);
    headless_.play();
    const float before = headless_.ui->items().find("Terrain/layer_1/up")->min.y;
    click("layer_2/down");
    EXPECT_EQ(edits_, 1);
    const ItemRect* after = headless_.ui->items().find("Terrain/layer_1/up");
    ASSERT_TRUE(after);
    EXPECT_EQ(after->min.y, before);
}

TEST_F(ImagerySection, RemovesALayer)
{
    click("layer_1/remove");
    EXPECT_EQ(names(), "roads.png");
    click("layer_1/remove");
    EXPECT_EQ(names(), "");
    EXPECT_EQ(headless_.ui->items().find("Terrain/layer_1/visible"), nullptr);
}

TEST_F(ImagerySection, AppliesTheOpacityOnReleaseAlone)
{
    headless_.drag("Terrain/layer_2/opacity", -40);
    EXPECT_LT(layer(1).opacity, 1);
    EXPECT_GT(layer(1).opacity, 0);
    EXPECT_EQ(layer(0).opacity, 1);
    EXPECT_EQ(edits_, 1);
}

// The point information covers the lower left of the picture, and on the Earth its lines are long.
TEST(Credit, StaysClearOfThePointInformation)
{
    int seen = 0;
    for (const int width : {1000, 1100, 1280, 1500, 1900})
        for (const double longitude : {1.0, 1e9})
        {
            HeadlessUi headless(width, 720);
            headless.model.tools.orientation.compass = true;
            headless.model.tools.orientation.bar = {1'000, 90};
            headless.model.cover.credit = "Blue Marble: Next Generation (NASA Visible Earth); city lights: NASA Earth "
                                          "Observatory; fields: a surveyor with a long name";
            headless.model.tools.pick.on = true;
            headless.model.tools.pick.place = glm::dvec3(longitude, 2, 3);
            headless.frames(4);
            const ItemRect* credit = headless.ui->items().find("Picture/credit");
            ASSERT_TRUE(credit) << width;
            for (const auto& [name, rect] : headless.ui->panels())
            {
                if (name != "Under the cursor") continue;
                ++seen;
                EXPECT_TRUE(credit->min.x >= rect.max.x || credit->max.y <= rect.min.y || credit->min.y >= rect.max.y)
                    << width << ": " << credit->min.x << ' ' << credit->min.y << ", " << rect.max.x << ' '
                    << rect.min.y;
            }
        }
    EXPECT_EQ(seen, 10);
}

TEST(Credit, StaysWhereThePanelsAreHidden)
{
    HeadlessUi headless(1280, 720);
    headless.model.cover.credit = "Blue Marble: Next Generation (NASA Visible Earth)";
    headless.key("F2");
    ASSERT_TRUE(headless.ui->panels().empty());
    const ItemRect* credit = headless.ui->items().find("Picture/credit");
    ASSERT_TRUE(credit);
    EXPECT_GT(credit->min.x, 640);
    EXPECT_LT(credit->max.x, 1280);
    EXPECT_GT(credit->min.y, 600);
    EXPECT_LT(credit->max.y, 720);
}

}  // namespace
}  // namespace orogen::app
