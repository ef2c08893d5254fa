#include "http/yaml.h"

#include <string>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "http/api_page.h"
#include "http/routes.h"

namespace conpole {
namespace {

TEST(YamlTest, ReadsBlocksAndLines) {
  const nlohmann::ordered_json read = ReadYaml(R"yaml(# about
a: 1
b:
  - x: text with words
    y: -2.5
  - {z: [true, null, "q: \"r\""], "w w": {}}
  - plain
c: >-
  one
  two
d: {$ref: "#/a/b", e: 3.1.0, f: a sentence.}
"200": 'it''s'
g:
h: []
)yaml");
  EXPECT_EQ(read.dump(),
            R"({"a":1,"b":[{"x":"text with words","y":-2.5},{"z":[true,null,"q: \"r\""],"w w":{}},"plain"],"c":"one two",)"
            R"("d":{"$ref":"#/a/b","e":"3.1.0","f":"a sentence."},"200":"it's","g":null,"h":[]})");
}

TEST(YamlTest, WhatItDoesNotKnowIsAnError) {
  for (const std::string wrong : {"a: b: c", "a: {b: 1", "a: [1", "a: \"b", "a", "a: 1\n   b: 2", "a: {b}", "a: {b: 1} c"}) {
    EXPECT_ANY_THROW(ReadYaml(wrong)) << wrong;
  }
}

TEST(YamlTest, TheDescriptionOfTheApiIsReadAndWritten) {
  const nlohmann::ordered_json document = ReadYaml(OpenApiDocument());
  EXPECT_EQ(document["openapi"], "3.1.0");
  EXPECT_EQ(document["paths"]["/v1/solve"]["post"]["operationId"], "solve");
  const std::string page = WriteApiPage(document);
  for (const auto& [path, methods] : document["paths"].items()) EXPECT_NE(page.find(path), std::string::npos) << path;
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("<code>milliseconds</code>"), std::string::npos);
}

}  // namespace
}  // namespace conpole
