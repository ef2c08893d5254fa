#include "nn/model.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "nn/half.h"
#include "nn/lstm_encoder.h"
#include "nn/safetensors.h"
#include "tests/files.h"
#include "tests/repetitions.h"

namespace conpole {
namespace {

const Architecture kSmall = Lstm({.embedding = 3, .hidden = 2, .layers = 2});

class ModelTest : public testing::Test {
 protected:
  ModelTest()
      : folder_(testing::TempDir() + "conpole_" + std::to_string(getpid()) + "_" +
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directory(folder_);
  }
  ~ModelTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(std::string_view name = "model.safetensors") const { return folder_ + "/" + std::string(name); }

  std::string Bytes() const {
    std::ifstream file(Path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Put(std::string_view bytes) const { std::ofstream(Path(), std::ios::binary) << bytes; }

  // The file's header and the bytes after it.
  std::pair<SafetensorsHeader, std::string> Parts() const {
    const std::string bytes = Bytes();
    const std::size_t begin = 8 + ParseSafetensorsLength(std::as_bytes(std::span(bytes)).first(8), bytes.size());
    return {ParseSafetensorsHeader(bytes.substr(8, begin - 8), bytes.size() - begin), bytes.substr(begin)};
  }
  // Writes a small model, changes its header, and reads it.
  std::string ErrorAfter(const std::function<void(SafetensorsHeader&, std::string&)>& change) const {
    WriteModel(RandomModel(kSmall, 1), Path(), WeightFormat::kFloat32);
    auto [header, data] = Parts();
    change(header, data);
    Put(FormatSafetensorsHeader(header) + data);
    return ReadError();
  }
  // Without the path, which must be in it.
  std::string ReadError() const {
    return WithoutPath([&] { ReadModel(Path()); });
  }
  std::string WriteError(const Model& model, WeightFormat format = WeightFormat::kFloat32) const {
    return WithoutPath([&] { WriteModel(model, Path(), format); });
  }

 private:
  std::string WithoutPath(const std::function<void()>& action) const {
    try {
      action();
    } catch (const Error& error) {
      const std::string_view message = error.what();
      EXPECT_TRUE(message.starts_with(Path() + ": ")) << message;
      return std::string(message.substr(std::min(message.size(), Path().size() + 2)));
    }
    return "no error";
  }

  std::string folder_;
};

TEST_F(ModelTest, TensorShapesAreThoseOfTheNetwork) {
  std::string text;
  for (const TensorShape& shape : TensorShapes(Lstm({.embedding = 5, .hidden = 3, .layers = 2}, Head::kValue))) {
    text += shape.name;
    for (const std::size_t size : shape.shape) text += " " + std::to_string(size);
    text += "\n";
  }
  EXPECT_EQ(text,
            "embedding.weight 96 5\n"
            "lstm.weight_ih_l0 12 5\nlstm.weight_ih_l0_reverse 12 5\n"
            "lstm.weight_ih_l1 12 6\nlstm.weight_ih_l1_reverse 12 6\n"
            "lstm.weight_hh_l0 12 3\nlstm.weight_hh_l0_reverse 12 3\n"
            "lstm.weight_hh_l1 12 3\nlstm.weight_hh_l1_reverse 12 3\n"
            "lstm.bias_ih_l0 12\nlstm.bias_hh_l0 12\nlstm.bias_ih_l0_reverse 12\nlstm.bias_hh_l0_reverse 12\n"
            "lstm.bias_ih_l1 12\nlstm.bias_hh_l1 12\nlstm.bias_ih_l1_reverse 12\nlstm.bias_hh_l1_reverse 12\n"
            "mlp.0.weight 6 6\nmlp.2.weight 6 6\nmlp.0.bias 6\nmlp.2.bias 6\n"
            "value.weight 1 6\nvalue.bias 1\n");
  EXPECT_EQ(TensorShapes(Lstm()).back().name, "score.weight");
  EXPECT_EQ(TensorShapes(Lstm()).back().shape, (std::vector<std::size_t>{512, 512}));
}

TEST_F(ModelTest, SizesOutOfBoundsAreRefused) {
  for (const LstmSizes& bad : {LstmSizes{.embedding = 0}, LstmSizes{.embedding = 1025}, LstmSizes{.hidden = -1},
                               LstmSizes{.hidden = 4097}, LstmSizes{.layers = 0}, LstmSizes{.layers = 9}}) {
    EXPECT_THROW(TensorShapes(Lstm(bad)), Error);
    EXPECT_THROW(RandomModel(Lstm(bad), 1), Error);
  }
}

TEST_F(ModelTest, RandomModelsDependOnTheSeedAlone) {
  const Model model = RandomModel(Lstm({.embedding = 8, .hidden = 16, .layers = 1}), 7);
  EXPECT_EQ(model.tensors, RandomModel(model.architecture, 7).tensors);
  EXPECT_NE(model.tensors, RandomModel(model.architecture, 8).tensors);
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (const auto& [name, tensor] : model.tensors) {
    for (const float value : tensor.values) {
      ASSERT_LE(std::abs(value), 0.25F) << name;
      sum += double{value};
      squares += double{value} * double{value};
      ++count;
    }
  }
  EXPECT_NEAR(sum / count, 0.0, 0.01);
  EXPECT_NEAR(squares / count, 0.25 * 0.25 / 3, 0.001);
  // Fixed, so that a benchmark or a recorded score means the same model everywhere.
  EXPECT_EQ(model.tensors.at("embedding.weight").values[0], 0x1.b177a8p-3F);
  EXPECT_EQ(model.tensors.at("score.weight").values[1023], 0x1.5525bcp-3F);
}

TEST_F(ModelTest, Float32FilesGiveTheModelBack) {
  for (const Head head : {Head::kBilinear, Head::kValue}) {
    Model model = RandomModel(Lstm({.embedding = 5, .hidden = 3, .layers = 3}, head), 1);
    model.metadata = {
        {"domain", "equations"}, {"", ""}, {"conpole.version", "0.1.0"}, {"text", std::string("\xc3\xa4\0\n\"", 5)}};
    WriteModel(model, Path(), WeightFormat::kFloat32);
    const Model read = ReadModel(Path());
    EXPECT_EQ(read.architecture, model.architecture);
    EXPECT_EQ(read.tensors, model.tensors);
    EXPECT_EQ(read.metadata, model.metadata);
  }
}

TEST_F(ModelTest, BytesAreReadAsTheirFileIs) {
  const Model model = RandomModel(kSmall, 3);
  WriteModel(model, Path(), WeightFormat::kFloat32);
  const std::string bytes = Bytes();
  const Model read = ParseModel(std::as_bytes(std::span(bytes)), "small");
  EXPECT_EQ(read.architecture, model.architecture);
  EXPECT_EQ(read.tensors, model.tensors);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(ParseModel(std::as_bytes(std::span(bytes)).first(size), "small"), Error) << size;
  }
  try {
    ParseModel({}, "small");
    FAIL() << "nothing is no model";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("small: ")) << error.what();
  }
}

TEST_F(ModelTest, Float16FilesGiveTheNearestHalves) {
  const Model model = RandomModel(kSmall, 2);
  WriteModel(model, Path(), WeightFormat::kFloat16);
  const Model read = ReadModel(Path());
  ASSERT_EQ(read.tensors.size(), model.tensors.size());
  for (const auto& [name, tensor] : model.tensors) {
    const Tensor& halves = read.tensors.at(name);
    ASSERT_EQ(halves.shape, tensor.shape);
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      EXPECT_EQ(halves.values[i], HalfToFloat(FloatToHalf(tensor.values[i])));
    }
  }
  const std::string bytes = Bytes();
  WriteModel(read, Path(), WeightFormat::kFloat16);
  EXPECT_EQ(Bytes(), bytes) << "writing it again changes nothing";
}

TEST_F(ModelTest, TheSameModelIsTheSameFile) {
  WriteModel(RandomModel(kSmall, 3), Path(), WeightFormat::kFloat32);
  const std::string bytes = Bytes();
  WriteModel(ReadModel(Path()), Path(), WeightFormat::kFloat32);
  EXPECT_EQ(Bytes(), bytes);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(std::filesystem::path(Path()).parent_path()), {}), 1);
}

TEST_F(ModelTest, Bfloat16IsReadToo) {
  EXPECT_EQ(ErrorAfter([](SafetensorsHeader& header, std::string& data) {
              std::string shorter;
              for (SafetensorsEntry& entry : header.tensors) entry.dtype = Dtype::kBfloat16;
              for (std::size_t i = 0; i < data.size(); i += 4) shorter += data.substr(i + 2, 2);
              data = shorter;
            }),
            "no error");
  const Model read = ReadModel(Path());
  const Model model = RandomModel(kSmall, 1);
  for (const auto& [name, tensor] : model.tensors) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      EXPECT_NEAR(read.tensors.at(name).values[i], tensor.values[i], std::abs(tensor.values[i]) / 128);
    }
  }
}

TEST_F(ModelTest, EveryTruncationIsAnError) {
  WriteModel(RandomModel(Lstm({.embedding = 1, .hidden = 1, .layers = 1}), 1), Path(), WeightFormat::kFloat16);
  const std::string bytes = Bytes();
  for (std::size_t size = 0; size < bytes.size(); size += Repetitions(1U, 11U)) {
    Put(bytes.substr(0, size));
    const std::string error = ReadError();
    EXPECT_TRUE(error.find("truncated") != std::string::npos) << size << ": " << error;
  }
  Put(bytes + '\0');
  EXPECT_EQ(ReadError(), "has 289 bytes of data, but its tensors end at byte 288");
}

TEST_F(ModelTest, FilesThatCannotBeModelsAreRefused) {
  EXPECT_EQ(ReadError(), "cannot be read: No such file or directory");
  std::filesystem::create_directory(Path());
  EXPECT_EQ(ReadError(), "cannot be read: it is a folder, not a regular file");
  std::filesystem::remove(Path());
  ASSERT_EQ(mkfifo(Path().c_str(), 0600), 0);
  EXPECT_EQ(ReadError(), "cannot be read: it is a pipe, not a regular file");
  std::filesystem::remove(Path());
  Put("PK\x03\x04 is how a zip archive begins");
  EXPECT_NE(ReadError().find("truncated, or not a safetensors file"), std::string::npos);
  // Without data on the disk; neither the size nor the header's length makes the reader allocate.
  Put("");
  std::filesystem::resize_file(Path(), (std::uint64_t{1} << 30) + 1);
  EXPECT_EQ(ReadError(), "has 1073741825 bytes, more than the allowed 1073741824");
  std::filesystem::resize_file(Path(), std::uint64_t{1} << 30);
  EXPECT_EQ(ReadError(), "the header does not begin with '{': not a safetensors file");
}

TEST_F(ModelTest, TheArchitectureIsChecked) {
  const auto with = [&](const std::string& key, const std::string& value) {
    return ErrorAfter([&](SafetensorsHeader& header, std::string& /*data*/) { header.metadata[key] = value; });
  };
  const auto without = [&](const std::string& key) {
    return ErrorAfter([&](SafetensorsHeader& header, std::string& /*data*/) { header.metadata.erase(key); });
  };
  for (const std::string key :
       {"conpole.format_version", "conpole.embedding", "conpole.hidden", "conpole.layers", "conpole.head"}) {
    EXPECT_EQ(without(key), "has no metadata '" + key + "': not a model of this program");
  }
  EXPECT_EQ(with("conpole.format_version", "4"), "is a model file of version '4'; this program reads versions 1 to 3");
  EXPECT_EQ(with("conpole.spaces", "doubled"), "its spaces are 'doubled'; they can be: read, skipped");
  for (const std::string_view bad : {"", "0", "-1", "+2", " 2", "2 ", "2.0", "4097", "99999999999999999999", "x"}) {
    EXPECT_EQ(with("conpole.hidden", std::string(bad)), "the architecture's hidden must be an integer from 1 to 4096") << bad;
  }
  EXPECT_EQ(with("conpole.layers", "9"), "the architecture's layers must be an integer from 1 to 8");
  EXPECT_EQ(with("conpole.embedding", "1025"), "the architecture's embedding must be an integer from 1 to 1024");
  EXPECT_EQ(with("conpole.head", "linear"),
            "the architecture's head must be bilinear, value, actions or actions+value, not 'linear'");
}

TEST_F(ModelTest, FilesWithoutAKindAndAMeaningAreThoseOfAnLstm) {
  for (const Head head : {Head::kBilinear, Head::kValue}) {
    Model model = RandomModel(Lstm({3, 2, 2}, head), 1);
    model.stated_meaning = ScoreMeaning::kMinusStepsToGo;
    WriteModel(model, Path(), WeightFormat::kFloat32);
    auto [header, data] = Parts();
    EXPECT_EQ(header.metadata.at("conpole.kind"), "lstm");
    EXPECT_EQ(header.metadata.at("conpole.meaning"), "steps-to-go");
    EXPECT_EQ(ReadModel(Path()).meaning(), ScoreMeaning::kMinusStepsToGo);
    header.metadata.erase("conpole.kind");
    header.metadata.erase("conpole.meaning");
    Put(FormatSafetensorsHeader(header) + data);
    const Model read = ReadModel(Path());
    EXPECT_EQ(read.architecture, model.architecture);
    EXPECT_EQ(read.tensors, model.tensors);
    EXPECT_EQ(read.metadata, model.metadata);
    EXPECT_EQ(read.meaning(), head == Head::kBilinear ? ScoreMeaning::kLogPreference : ScoreMeaning::kLogOdds);
  }
}

TEST_F(ModelTest, UnknownKindsAndMeaningsAreRefused) {
  const auto with = [&](const std::string& key, const std::string& value) {
    return ErrorAfter([&](SafetensorsHeader& header, std::string& /*data*/) { header.metadata[key] = value; });
  };
  EXPECT_EQ(with("conpole.kind", "oracle"), "unknown kind of network 'oracle'; there are: lstm, bag, residual");
  EXPECT_EQ(with("conpole.kind", "bag"), "has no metadata 'conpole.window': not a model of this program");
  EXPECT_EQ(with("conpole.meaning", "luck"), "its scores mean 'luck'; known are: log-preference, log-odds, steps-to-go, rank");
}

TEST_F(ModelTest, EveryKindIsWrittenAndReadBack) {
  for (const NetworkKind* kind : NetworkKinds()) {
    SCOPED_TRACE(kind->name);
    std::map<std::string, int, std::less<>> sizes;
    for (const NetworkSize& size : kind->sizes) sizes[size.name] = 2 + static_cast<int>(sizes.size());
    const Model model = RandomModel(TrainingArchitecture(kind->name, sizes), 1);
    WriteModel(model, Path(), WeightFormat::kFloat32);
    const Model read = ReadModel(Path());
    EXPECT_EQ(read.architecture, model.architecture);
    EXPECT_EQ(read.tensors, model.tensors);
  }
}

TEST_F(ModelTest, NetworksThatSkipSpacesReadTextsAsIfThereWereNone) {
  for (const char* const kind : {"lstm", "bag"}) {
    SCOPED_TRACE(kind);
    Model reading = RandomModel(TrainingArchitecture(kind, {{"hidden", 8}}), 1);
    WriteModel(reading, Path(), WeightFormat::kFloat32);
    EXPECT_EQ(Parts().first.metadata.at("conpole.format_version"), "1");
    Model skipping = reading;
    skipping.architecture.skips_spaces = true;
    WriteModel(skipping, Path(), WeightFormat::kFloat32);
    EXPECT_EQ(Parts().first.metadata.at("conpole.format_version"), "2") << "earlier programs would misread it";
    const Model read = ReadModel(Path());
    EXPECT_EQ(read.architecture, skipping.architecture);
    EXPECT_TRUE(read.metadata.empty());

    const std::vector<std::string_view> with_spaces{"(2x + 3) = 7", "x = 2", " ", "", "a b  c "};
    const std::vector<std::string_view> without{"(2x+3)=7", "x=2", "", "", "abc"};
    ThreadPool pool(2);
    const auto vectors = [&](const Encoder& encoder, const std::vector<std::string_view>& texts) {
      std::vector<float> all(texts.size() * encoder.vector_size());
      encoder.Encode(texts, all, pool);
      return all;
    };
    EXPECT_EQ(vectors(*MakeEncoder(read), with_spaces), vectors(*MakeEncoder(reading), without));
    EXPECT_NE(vectors(*MakeEncoder(reading), with_spaces), vectors(*MakeEncoder(reading), without));
    const std::vector<NetworkLayer> layers = MakeLayerEncoders(read);
    const std::vector<NetworkLayer> layers_reading = MakeLayerEncoders(reading);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      EXPECT_EQ(vectors(*layers[i].encoder, with_spaces), vectors(*layers_reading[i].encoder, without)) << layers[i].name;
    }
  }
  Architecture residual = TrainingArchitecture("residual", {});
  residual.skips_spaces = true;
  EXPECT_EQ(ErrorOf([&] { CheckedKind(residual); }), "a network of kind residual reads no texts, and has no spaces to skip");
}

TEST_F(ModelTest, SignsOfTheAlphabetAreCharacters) {
  for (const char* const kind : {"lstm", "bag"}) {
    SCOPED_TRACE(kind);
    Architecture architecture = TrainingArchitecture(kind, {{"hidden", 8}});
    const Model ascii = RandomModel(architecture, 1);
    architecture.alphabet = "αβγδ∧∨";
    const Model model = RandomModel(architecture, 1);
    WriteModel(model, Path(), WeightFormat::kFloat32);
    EXPECT_EQ(Parts().first.metadata.at("conpole.format_version"), "3") << "earlier programs would misread it";
    const Model read = ReadModel(Path());
    EXPECT_EQ(read.architecture, model.architecture);
    EXPECT_EQ(read.tensors, model.tensors);
    EXPECT_TRUE(read.metadata.empty());

    ThreadPool pool(1);
    const auto vector = [&](const Encoder& encoder, std::string_view text) {
      std::vector<float> values(encoder.vector_size());
      encoder.Encode(std::span(&text, 1), values, pool);
      return values;
    };
    const std::unique_ptr<Encoder> encoder = MakeEncoder(read);
    EXPECT_NE(vector(*encoder, "α∧β"), vector(*encoder, "γ∨δ"));
    EXPECT_NE(vector(*encoder, "α∧β"), vector(*encoder, "α∧γ"));
    EXPECT_EQ(encoder->unknown_characters(), 0U);
    EXPECT_EQ(vector(*encoder, "α∧ζ"), vector(*encoder, "α∧→")) << "unknown ones are the same";
    EXPECT_NE(vector(*encoder, "α∧ζ"), vector(*encoder, "α∧")) << "but they are there";
    EXPECT_EQ(encoder->unknown_characters(), 3U);

    // Without an alphabet, bytes are read one by one, as they always were.
    const std::unique_ptr<Encoder> bytes = MakeEncoder(ascii);
    EXPECT_EQ(vector(*bytes, "α∧β"), vector(*bytes, "\x7f\x7f\x7f\x7f\x7f\x7f\x7f"));
    EXPECT_EQ(bytes->unknown_characters(), 3U + 7U);
    architecture.skips_spaces = true;
    Model skipping = model;
    skipping.architecture.skips_spaces = true;
    EXPECT_EQ(vector(*MakeEncoder(skipping), " α ∧ β"), vector(*encoder, "α∧β"));
  }
}

TEST_F(ModelTest, BadAlphabetsAreRefused) {
  Architecture architecture = TrainingArchitecture("lstm", {{"hidden", 8}});
  std::string many;
  for (int i = 0; i < 129; ++i) many += {static_cast<char>(0xD0 + i / 64), static_cast<char>(0x80 + i % 64)};
  for (const std::string& alphabet : {std::string("αa"), std::string("αβα"), std::string("\xff"), std::string("\xce"), many}) {
    architecture.alphabet = alphabet;
    EXPECT_TRUE(
        ErrorOf([&] { CheckedKind(architecture); }).ends_with("is not a text of at most 128 different signs outside ASCII"));
  }
  Architecture residual = TrainingArchitecture("residual", {});
  residual.alphabet = "α";
  EXPECT_EQ(ErrorOf([&] { CheckedKind(residual); }), "a network of kind residual reads no texts, and has no alphabet");
}

TEST_F(ModelTest, TrainingStartsWithCharactersThatDiffer) {
  for (const NetworkKind* kind : NetworkKinds()) {
    SCOPED_TRACE(kind->name);
    const Architecture architecture = TrainingArchitecture(kind->name, {{"hidden", 16}});
    const Model initial = InitialModel(architecture, 1);
    const Model random = RandomModel(architecture, 1);
    for (const TensorShape& shape : TensorShapes(architecture)) {
      const std::vector<float>& values = initial.tensors.at(shape.name).values;
      if (!shape.starts_large) {
        EXPECT_EQ(values, random.tensors.at(shape.name).values) << shape.name;
        continue;
      }
      double squares = 0;
      for (const float value : values) squares += double{value} * double{value};
      EXPECT_NEAR(squares / static_cast<double>(values.size()), 1, 0.1) << shape.name;
    }
  }
}

TEST_F(ModelTest, TensorsMustBeThoseOfTheArchitecture) {
  const auto with = [&](const std::string& key, const std::string& value) {
    return ErrorAfter([&](SafetensorsHeader& header, std::string& /*data*/) { header.metadata[key] = value; });
  };
  EXPECT_EQ(with("conpole.hidden", "4096"), "tensor 'lstm.bias_hh_l0' has the shape [8], but the architecture needs [16384]");
  EXPECT_EQ(with("conpole.embedding", "4"),
            "tensor 'embedding.weight' has the shape [96, 3], but the architecture needs [96, 4]");
  EXPECT_EQ(with("conpole.layers", "1"), "has a tensor 'lstm.bias_hh_l1' that its architecture does not have");
  EXPECT_EQ(with("conpole.layers", "3"), "has no tensor 'lstm.bias_hh_l2'");
  EXPECT_EQ(with("conpole.head", "value"), "has a tensor 'score.weight' that its architecture does not have");
  EXPECT_EQ(ErrorAfter([](SafetensorsHeader& header, std::string& data) {
              header.tensors.push_back({"zzz", Dtype::kFloat32, {1}});
              data.append(4, '\0');
            }),
            "has a tensor 'zzz' that its architecture does not have");
  EXPECT_EQ(ErrorAfter([](SafetensorsHeader& header, std::string& data) {
              data.resize(data.size() - header.tensors.back().bytes());
              header.tensors.pop_back();
            }),
            "has no tensor 'score.weight'");
  EXPECT_EQ(ErrorAfter([](SafetensorsHeader& header, std::string& /*data*/) {
              header.tensors.back().shape = {2, 8};
            }),
            "tensor 'score.weight' has the shape [2, 8], but the architecture needs [4, 4]");
}

TEST_F(ModelTest, ValuesThatAreNotFiniteAreRefused) {
  for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_EQ(ErrorAfter([&](SafetensorsHeader& /*header*/, std::string& data) {
                const std::vector<std::byte> bytes = EncodeValues(std::span(&bad, 1), Dtype::kFloat32);
                data.replace(data.size() - 4, 4, reinterpret_cast<const char*>(bytes.data()), 4);
              }),
              "tensor 'score.weight' has values that are not finite");
    Model model = RandomModel(kSmall, 1);
    model.tensors.at("mlp.0.bias").values[1] = bad;
    EXPECT_EQ(WriteError(model), "tensor 'mlp.0.bias' has values that are not finite");
  }
}

TEST_F(ModelTest, AModelThatCouldNotBeReadIsNotWritten) {
  Put("older");
  const Model good = RandomModel(kSmall, 1);
  Model model = good;
  model.tensors.erase("mlp.0.bias");
  EXPECT_EQ(WriteError(model), "has no tensor 'mlp.0.bias'");
  model = good;
  model.tensors["more"] = {};
  EXPECT_EQ(WriteError(model), "has a tensor 'more' that its architecture does not have");
  model = good;
  model.tensors["mlp.0.bias"].shape = {5};
  EXPECT_EQ(WriteError(model), "tensor 'mlp.0.bias' has the shape [5], but the architecture needs [4]");
  model = good;
  model.tensors["mlp.0.bias"].values.push_back(0);
  EXPECT_EQ(WriteError(model), "tensor 'mlp.0.bias' has 5 values, but the shape [4]");
  model = good;
  model.architecture.sizes["hidden"] = 0;
  EXPECT_EQ(WriteError(model), "the architecture's hidden must be an integer from 1 to 4096");
  model = good;
  model.metadata["conpole.head"] = "value";
  EXPECT_EQ(WriteError(model), "the metadata key 'conpole.head' is reserved");
  model = good;
  model.metadata["bytes"] = "\xff";
  EXPECT_EQ(WriteError(model), "the metadata or the name of a tensor is not valid UTF-8");
  model = good;
  model.tensors["mlp.0.bias"].values[0] = -70000.0F;
  EXPECT_EQ(WriteError(model, WeightFormat::kFloat16),
            "tensor 'mlp.0.bias' has values beyond 65504, the greatest that F16 has");
  EXPECT_EQ(Bytes(), "older");
  EXPECT_EQ(WriteError(model), "no error");
}

TEST_F(ModelTest, PlacesThatCannotBeWrittenAreNamed) {
  std::filesystem::create_directory(Path());
  EXPECT_EQ(WriteError(RandomModel(kSmall, 1)), "cannot be written: it is not a regular file");
  EXPECT_THROW(WriteModel(RandomModel(kSmall, 1), Path("none/model"), WeightFormat::kFloat32), Error);
}

}  // namespace
}  // namespace conpole
