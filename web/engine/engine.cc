#include "web/engine/engine.h"

#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "conpole/error.h"
#include "service/service.h"

namespace conpole {
namespace {

// The service, the models that it was given and the last answer.
class Engine {
 public:
  static Engine& Get() {
    static Engine engine;
    return engine;
  }

  int HandOver(std::string_view name, std::span<const std::byte> bytes) {
    return Keep([&]() -> ServiceAnswer {
      try {
        models_->HandOver(std::string(name), bytes);
      } catch (const Error&) {
        return {.status = 422, .body = R"({"type":"about:blank","title":"Not a model file of conpole","status":422})"};
      }
      return {.status = 200, .body = "{}"};
    });
  }

  int Call(std::string_view operation, std::string_view request) {
    return Keep([&] {
      return service_.Answer(operation, request,
                             {.progress = [](const std::string& json) { conpole_progress(json.data(), json.size()); }});
    });
  }

  const std::string& body() const { return answer_.body; }

 private:
  Engine() : Engine(std::make_unique<HandedModels>()) {}
  explicit Engine(std::unique_ptr<HandedModels> models) : models_(models.get()), service_(OptionsWith(std::move(models))) {}

  static ServiceOptions OptionsWith(std::unique_ptr<HandedModels> models) {
    ServiceOptions options;
    options.models = std::move(models);
    options.engine = "wasm";
    return options;
  }

  // Keeps the answer that `work` gives, whatever happens.
  template <class Work>
  int Keep(const Work& work) {
    try {
      answer_ = work();
    } catch (const std::bad_alloc&) {
      answer_.status = 503;
      answer_.body = R"({"type":"about:blank","title":"Out of memory","status":503})";
    } catch (const std::exception&) {
      answer_.status = 500;
      answer_.body = R"({"type":"about:blank","title":"An error of the engine","status":500})";
    }
    return answer_.status;
  }

  HandedModels* models_;
  Service service_;
  ServiceAnswer answer_;
};

}  // namespace
}  // namespace conpole

void* conpole_allocate(std::size_t size) { return std::malloc(size == 0 ? 1 : size); }

void conpole_release(void* memory) { std::free(memory); }

int conpole_hand_over(const char* name, std::size_t name_size, const char* bytes, std::size_t size) {
  return conpole::Engine::Get().HandOver({name, name_size}, std::as_bytes(std::span(bytes, size)));
}

int conpole_call(const char* operation, std::size_t operation_size, const char* request, std::size_t request_size) {
  return conpole::Engine::Get().Call({operation, operation_size}, {request, request_size});
}

const char* conpole_answer() { return conpole::Engine::Get().body().data(); }

std::size_t conpole_answer_size() { return conpole::Engine::Get().body().size(); }
