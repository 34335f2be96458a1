#include "app/base/installation.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace orogen::app {
namespace {

class Paths : public testing::Test
{
protected:
    void TearDown() override { unsetenv("OROGEN_DATA_DIR"); }

    const test::TemporaryFolder temporary_;
    const std::filesystem::path folder_ = temporary_.path();
};

TEST_F(Paths, TheEnvironmentComesFirst)
{
    std::filesystem::create_directories(folder_ / "shaders");
    std::filesystem::create_directories(folder_ / "core");
    std::ofstream(folder_ / "core/gpu_layout.h") << "\n";
    setenv("OROGEN_DATA_DIR", folder_.c_str(), 1);
    const Result<std::filesystem::path> found = dataDirectory();
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(*found, folder_);
}

TEST_F(Paths, AFolderWithoutTheDataIsAnErrorThatNamesIt)
{
    setenv("OROGEN_DATA_DIR", folder_.c_str(), 1);
    const Result<std::filesystem::path> found = dataDirectory();
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ExitCode::kInput);
    EXPECT_NE(found.error().message.find(folder_.string()), std::string::npos) << found.error().message;
}

TEST_F(Paths, AProgramInItsBuildFolderFindsItsSourceTree)
{
    const Result<std::filesystem::path> found = dataDirectory();
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(std::filesystem::equivalent(*found, OROGEN_ROOT));
}

}  // namespace
}  // namespace orogen::app
