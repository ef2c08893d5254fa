#include "nn/safetensors.h"

#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "conpole/error.h"

namespace conpole {
namespace {

std::string ErrorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string HeaderError(std::string_view json, std::uint64_t data_bytes = 8) {
  return ErrorOf([&] { ParseSafetensorsHeader(json, data_bytes); });
}

std::string LengthError(std::uint64_t length, std::uint64_t file_bytes) {
  return ErrorOf([&] { ParseSafetensorsLength(std::as_bytes(std::span(&length, 1)), file_bytes); });
}

TEST(SafetensorsTest, TensorsComeInTheOrderOfTheirValues) {
  const SafetensorsHeader header = ParseSafetensorsHeader(
      R"({"b": {"dtype":"F16","shape":[2, 3],"data_offsets":[4,16]}, "__metadata__":{"k":"v","":"\u00e4\u0000"},
           "a": {"data_offsets":[0,4],"shape":[],"dtype":"F32"}, "z":{"dtype":"BF16","shape":[1],"data_offsets":[16,18]},
           "none": {"dtype":"F32","shape":[9,0,9],"data_offsets":[4,4]} }   )",
      18);
  ASSERT_EQ(header.tensors.size(), 4U);
  EXPECT_EQ(header.tensors[0], (SafetensorsEntry{"a", Dtype::kFloat32, {}}));
  EXPECT_EQ(header.tensors[1], (SafetensorsEntry{"none", Dtype::kFloat32, {9, 0, 9}}));
  EXPECT_EQ(header.tensors[2], (SafetensorsEntry{"b", Dtype::kFloat16, {2, 3}}));
  EXPECT_EQ(header.tensors[3], (SafetensorsEntry{"z", Dtype::kBfloat16, {1}}));
  EXPECT_EQ(header.tensors[2].bytes(), 12U);
  const std::map<std::string, std::string> metadata = {{"k", "v"}, {"", std::string("\xc3\xa4\0", 3)}};
  EXPECT_EQ(header.metadata, metadata);
}

TEST(SafetensorsTest, AHeaderWithoutTensorsIsOne) {
  EXPECT_EQ(ParseSafetensorsHeader("{}", 0), SafetensorsHeader());
  EXPECT_EQ(HeaderError("{}", 1), "has 1 bytes of data, but its tensors end at byte 0");
}

TEST(SafetensorsTest, LengthsAreCheckedAgainstTheFile) {
  const std::array<std::byte, 7> seven{};
  EXPECT_EQ(ErrorOf([&] { ParseSafetensorsLength(seven, 7); }), "has 7 bytes: truncated, or not a safetensors file");
  EXPECT_EQ(LengthError(2, 10), "no error");
  EXPECT_EQ(LengthError(3, 10), "states a header of 3 bytes, but has only 2 after that: truncated, or not a safetensors file");
  EXPECT_NE(LengthError(std::numeric_limits<std::uint64_t>::max(), 10).find("states a header of 18446744073709551615 bytes"),
            std::string::npos);
  EXPECT_EQ(LengthError(kMaxSafetensorsHeaderBytes, 1 << 30), "no error");
  EXPECT_EQ(LengthError(kMaxSafetensorsHeaderBytes + 1, 1 << 30),
            "states a header of 16777217 bytes, more than the allowed 16777216");
}

TEST(SafetensorsTest, TextThatIsNotJsonIsRefusedWithItsPlace) {
  EXPECT_EQ(HeaderError(""), "the header does not begin with '{': not a safetensors file");
  EXPECT_EQ(HeaderError(" {}"), "the header does not begin with '{': not a safetensors file");
  EXPECT_EQ(HeaderError("[]"), "the header does not begin with '{': not a safetensors file");
  EXPECT_EQ(HeaderError("{\"a\""), "the header is not valid JSON at byte 5 of it");
  EXPECT_EQ(HeaderError("{} x"), "the header is not valid JSON at byte 4 of it");
  EXPECT_EQ(HeaderError(std::string_view("{}\0", 3)), "the header is not valid JSON at byte 3 of it");
  EXPECT_EQ(HeaderError("{}{}"), "the header is not valid JSON at byte 3 of it");
  EXPECT_EQ(HeaderError("{/**/}"), "the header is not valid JSON at byte 2 of it");
  EXPECT_EQ(HeaderError("{\"\xff\":1}"), "the header is not valid JSON at byte 3 of it");
}

TEST(SafetensorsTest, WhatHasNoPlaceInAHeaderIsRefused) {
  struct Case {
    std::string_view json;
    std::string_view message;
  };
  for (const Case& bad : {
           Case{R"({"a":1})", "tensor 'a' must be an object, not a number"},
           Case{R"({"a":null})", "tensor 'a' must be an object, not null"},
           Case{R"({"a":[[[[)", "tensor 'a' must be an object, not an array"},
           Case{R"({"a":{"shape":{}}})", "tensor 'a': 'shape' must be an array, not an object"},
           Case{R"({"a":{"shape":"2"}})", "tensor 'a': 'shape' must be an array, not text"},
           Case{R"({"a":{"shape":[[)", "tensor 'a': 'shape' must be unsigned integers, not an array"},
           Case{R"({"a":{"shape":[-1]}})", "tensor 'a': 'shape' must be unsigned integers, not a negative number"},
           Case{R"({"a":{"shape":[2.0]}})",
                "tensor 'a': 'shape' must be unsigned integers, not a number that is not an integer of 64 bits"},
           Case{R"({"a":{"shape":[18446744073709551616]}})",
                "tensor 'a': 'shape' must be unsigned integers, not a number that is not an integer of 64 bits"},
           Case{R"({"a":{"shape":[true]}})", "tensor 'a': 'shape' must be unsigned integers, not a truth value"},
           Case{R"({"a":{"shape":[1,1,1,1,1,1,1,1,1]}})", "tensor 'a': 'shape' has more than 8 numbers"},
           Case{R"({"a":{"dtype":32}})", "tensor 'a': 'dtype' must be text, not a number"},
           Case{R"({"a":{"dtype":["F32"]}})", "tensor 'a': 'dtype' must be text, not an array"},
           Case{R"({"a":{"dtype":"I64"}})", "tensor 'a' has the dtype 'I64'; supported are F32, F16 and BF16"},
           Case{R"({"a":{"dtype":"f32"}})", "tensor 'a' has the dtype 'f32'; supported are F32, F16 and BF16"},
           Case{R"({"a":{"type":"F32"}})", "tensor 'a': 'type' is unknown"},
           Case{R"({"__metadata__":[]})", "__metadata__ must be an object, not an array"},
           Case{R"({"__metadata__":{"n":1}})", "metadata 'n' must be text, not a number"},
           Case{R"({"__metadata__":{"n":{}}})", "metadata 'n' must be text, not an object"},
           Case{R"({"a":{}})", "tensor 'a' has no dtype"},
           Case{R"({"a":{"dtype":"F32"}})", "tensor 'a' has no shape"},
           Case{R"({"a":{"dtype":"F32","shape":[]}})", "tensor 'a' has no data_offsets"},
           Case{R"({"a\n\u00e4":{}})", R"(tensor 'a\x0a\xc3\xa4' has no dtype)"},
       }) {
    EXPECT_EQ(HeaderError(bad.json), bad.message) << bad.json;
  }
}

TEST(SafetensorsTest, NothingMayBeGivenTwice) {
  const std::string entry = R"({"dtype":"F32","shape":[],"data_offsets":[0,4]})";
  EXPECT_EQ(HeaderError(R"({"a":)" + entry + R"(,"b":)" + entry + R"(,"a":)" + entry + "}"), "tensor 'a' is given twice");
  EXPECT_EQ(HeaderError(R"({"__metadata__":{},"__metadata__":{}})"), "the header has __metadata__ twice");
  EXPECT_EQ(HeaderError(R"({"__metadata__":{"k":"1","l":"2","k":"1"}})"), "metadata 'k' is given twice");
  EXPECT_EQ(HeaderError(R"({"a":{"dtype":"F32","dtype":"F32"}})"), "tensor 'a': 'dtype' is given twice");
  EXPECT_EQ(HeaderError(R"({"a":{"shape":[],"shape":[]}})"), "tensor 'a': 'shape' is given twice");
  EXPECT_EQ(HeaderError(R"({"a":{"data_offsets":[],"data_offsets":[]}})"), "tensor 'a': 'data_offsets' is given twice");
}

TEST(SafetensorsTest, OffsetsAndShapesMustAgreeWithTheData) {
  const auto one = [](std::string_view shape, std::string_view offsets) {
    return HeaderError(R"({"a":{"dtype":"F32","shape":[)" + std::string(shape) + R"(],"data_offsets":[)" +
                       std::string(offsets) + "]}}");
  };
  EXPECT_EQ(one("2", "0,8"), "no error");
  EXPECT_EQ(one("2", "0"), "tensor 'a' has data_offsets that are not two numbers");
  EXPECT_EQ(one("2", "0,8,8"), "tensor 'a' has data_offsets that are not two numbers");
  EXPECT_EQ(one("2", "8,0"), "tensor 'a' ends at byte 0, before it begins, at byte 8");
  EXPECT_EQ(one("2", "1,9"), "tensor 'a' ends at byte 9 of the data, of which the file has 8: it is truncated");
  EXPECT_EQ(one("2", "0,18446744073709551615"),
            "tensor 'a' ends at byte 18446744073709551615 of the data, of which the file has 8: it is truncated");
  EXPECT_EQ(one("3", "0,8"), "tensor 'a' has a shape that is larger than the file");
  EXPECT_EQ(one("", "0,8"), "tensor 'a' has 8 bytes, but its shape and F32 need 4");
  EXPECT_EQ(one("2", "4,8"), "tensor 'a' has 4 bytes, but its shape and F32 need 8");
  EXPECT_EQ(one("0", "0,8"), "tensor 'a' has 8 bytes, but its shape and F32 need 0");
  // These products are 2, 0 and 2^64 in 64 bits.
  EXPECT_EQ(one("2,9223372036854775809", "0,8"), "tensor 'a' has a shape that is larger than the file");
  EXPECT_EQ(one("4294967296,4294967296", "0,0"), "tensor 'a' has a shape that is larger than the file");
  EXPECT_EQ(one("18446744073709551615,18446744073709551615,0", "0,0"), "has 8 bytes of data, but its tensors end at byte 0");

  const auto two = [](std::string_view first, std::string_view second) {
    return HeaderError(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[)" + std::string(first) +
                           R"(]},"b":{"dtype":"F16","shape":[2],"data_offsets":[)" + std::string(second) + "]}}",
                       12);
  };
  EXPECT_EQ(two("0,4", "8,12"),
            "tensor 'b' begins at byte 8 of the data, but the one before it ends at byte 4: there is a gap");
  EXPECT_EQ(two("2,6", "4,8"), "tensor 'a' begins at byte 2 of the data, but the one before it ends at byte 0: there is a gap");
  EXPECT_EQ(two("0,4", "0,4"),
            "tensor 'b' begins at byte 0 of the data, but the one before it ends at byte 4: there is an overlap");
  EXPECT_EQ(two("4,8", "0,4"), "has 12 bytes of data, but its tensors end at byte 8");
}

TEST(SafetensorsTest, NestingDoesNotCost) {
  for (const std::string_view prefix : {R"({"a":)", R"({"__metadata__":)", R"({"a":{"shape":)"}) {
    for (const std::string_view open : {"[", R"({"a":)"}) {
      std::string bomb(prefix);
      while (bomb.size() < 1'000'000) bomb += open;
      EXPECT_NE(HeaderError(bomb), "no error");
    }
  }
}

TEST(SafetensorsTest, WrittenHeadersAreAlignedAndReadBack) {
  SafetensorsHeader header{.tensors = {{"z", Dtype::kFloat16, {3, 5}}, {"a", Dtype::kFloat16, {1}}}, .metadata = {}};
  for (int length = 0; length < 20; ++length) {
    header.metadata["\"quoted\"\n"] = std::string(static_cast<std::size_t>(length), 'x');
    const std::string bytes = FormatSafetensorsHeader(header);
    EXPECT_EQ(bytes.size() % 8, 0U);
    EXPECT_EQ(FormatSafetensorsHeader(header), bytes);
    const std::size_t json_bytes = ParseSafetensorsLength(std::as_bytes(std::span(bytes)).first(8), bytes.size() + 32);
    ASSERT_EQ(json_bytes + 8, bytes.size());
    EXPECT_EQ(ParseSafetensorsHeader(std::string_view(bytes).substr(8), 32), header);
  }
  EXPECT_EQ(FormatSafetensorsHeader({.tensors = {{"a", Dtype::kFloat32, {2}}}, .metadata = {{"k", "v"}}}).substr(8),
            R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}} )");
}

TEST(SafetensorsTest, AHeaderThatCouldNotBeReadIsNotWritten) {
  EXPECT_EQ(ErrorOf([] {
              FormatSafetensorsHeader({.tensors = {}, .metadata = {{"k", "\xff"}}});
            }),
            "the metadata or the name of a tensor is not valid UTF-8");
  const std::string long_text(kMaxSafetensorsHeaderBytes, 'x');
  EXPECT_EQ(ErrorOf([&] {
              FormatSafetensorsHeader({.tensors = {}, .metadata = {{"k", long_text}}});
            }),
            "the header has 16777248 bytes, more than the allowed 16777216");
}

TEST(SafetensorsTest, ValuesAreConverted) {
  const std::vector<float> values = {0.0F, 1.0F, -2.5F, 0.1F};
  std::vector<float> back(values.size());
  DecodeValues(EncodeValues(values, Dtype::kFloat32), Dtype::kFloat32, back);
  EXPECT_EQ(back, values);
  DecodeValues(EncodeValues(values, Dtype::kFloat16), Dtype::kFloat16, back);
  EXPECT_EQ(back, (std::vector<float>{0.0F, 1.0F, -2.5F, 0.0999755859375F}));
  const std::array<unsigned char, 4> bfloats = {0x80, 0x3F, 0x20, 0xC0};
  std::array<float, 2> pair{};
  DecodeValues(std::as_bytes(std::span(bfloats)), Dtype::kBfloat16, pair);
  EXPECT_EQ(pair, (std::array{1.0F, -2.5F}));

  EXPECT_EQ(ErrorOf([&] { DecodeValues(std::as_bytes(std::span(bfloats)), Dtype::kFloat32, pair); }),
            "the bytes of a tensor do not match its values");
  EXPECT_EQ(ErrorOf([&] { EncodeValues(values, Dtype::kBfloat16); }), "BF16 is read, but not written");
}

}  // namespace
}  // namespace conpole
