#include "app/gl/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

namespace orogen::app {
namespace {

// Returns the characters of a French keyboard: Q and A, and W and Z, are exchanged, and M is beside L.
const char* french(int key, int)
{
    switch (key)
    {
    case GLFW_KEY_Q:
        return "a";
    case GLFW_KEY_A:
        return "q";
    case GLFW_KEY_W:
        return "z";
    case GLFW_KEY_Z:
        return "w";
    case GLFW_KEY_SEMICOLON:
        return "m";
    default:
        return nullptr;
    }
}

int keyOf(KeyLayout& layout, int key, int action, int mods)
{
    return layout.ofCommand({.key = key, .scancode = key + 1'000, .action = action, .mods = mods}, french).key;
}

TEST(KeyLayout, CommandsGoByTheLetter)
{
    KeyLayout layout;
    EXPECT_EQ(keyOf(layout, GLFW_KEY_W, GLFW_PRESS, GLFW_MOD_CONTROL), GLFW_KEY_Z);
    EXPECT_EQ(keyOf(layout, GLFW_KEY_W, GLFW_REPEAT, GLFW_MOD_CONTROL), GLFW_KEY_Z);
    EXPECT_EQ(keyOf(layout, GLFW_KEY_W, GLFW_RELEASE, GLFW_MOD_CONTROL), GLFW_KEY_Z);
    EXPECT_EQ(keyOf(layout, GLFW_KEY_SEMICOLON, GLFW_PRESS, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT), GLFW_KEY_M);
    EXPECT_EQ(keyOf(layout, GLFW_KEY_F5, GLFW_PRESS, GLFW_MOD_CONTROL), GLFW_KEY_F5);
    EXPECT_EQ(keyOf(layout, GLFW_KEY_LEFT_CONTROL, GLFW_PRESS, GLFW_MOD_CONTROL), GLFW_KEY_LEFT_CONTROL);
}

TEST(KeyLayout, MovementGoesByThePlace)
{
    KeyLayout layout;
    for (const int action : {GLFW_PRESS, GLFW_REPEAT, GLFW_RELEASE})
    {
        EXPECT_EQ(keyOf(layout, GLFW_KEY_W, action, 0), GLFW_KEY_W);
        EXPECT_EQ(keyOf(layout, GLFW_KEY_A, action, GLFW_MOD_SHIFT), GLFW_KEY_A);
    }
}

TEST(KeyLayout, AKeyIsLetGoOfAsItWasPressed)
{
    KeyLayout layout;
    EXPECT_EQ(keyOf(layout, GLFW_KEY_W, GLFW_PRESS, GLFW_MOD_CONTROL), GLFW_KEY_Z);
    EXPECT_EQ(keyOf(layout, GLFW_KEY_W, GLFW_RELEASE, 0), GLFW_KEY_Z);
    EXPECT_EQ(keyOf(layout, GLFW_KEY_W, GLFW_PRESS, 0), GLFW_KEY_W);
    EXPECT_EQ(keyOf(layout, GLFW_KEY_W, GLFW_RELEASE, GLFW_MOD_CONTROL), GLFW_KEY_W);
}

}  // namespace
}  // namespace orogen::app
