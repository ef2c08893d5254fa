// The seam between JavaScript and conpole: the engine as functions of bytes and numbers, which is all that WebAssembly passes.
// web/engine/instance.js is its caller. One thread calls them, one call at a time; there is one engine per instance of the
// module. No input makes them throw or abort.
//
// Texts are UTF-8 and come with their sizes. The caller writes them into memory of conpole_allocate and gives that back with
// conpole_release; null means that there is no memory left. Both conpole_hand_over and conpole_call return a status as HTTP has
// it, and leave a text in JSON, the answer, which stays until the next of these calls.
#pragma once

#include <cstddef>

#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>
#define CONPOLE_SEAM EMSCRIPTEN_KEEPALIVE
#else
#define CONPOLE_SEAM  // tests call it natively
#endif

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): names as C and JavaScript have them
CONPOLE_SEAM void* conpole_allocate(std::size_t size);
CONPOLE_SEAM void conpole_release(void* memory);

// The content of a model file or a language, by its name ("equations.safetensors", "de.json"), for the calls that ask for it by
// a status of 424.
CONPOLE_SEAM int conpole_hand_over(const char* name, std::size_t name_size, const char* bytes, std::size_t size);

// Answers one request (service/service.h). Reports progress meanwhile.
CONPOLE_SEAM int conpole_call(const char* operation, std::size_t operation_size, const char* request, std::size_t request_size);

CONPOLE_SEAM const char* conpole_answer();
CONPOLE_SEAM std::size_t conpole_answer_size();

// What the caller provides: it is told how far a call is, in JSON. It must not call the engine.
#ifdef __EMSCRIPTEN__
__attribute__((import_module("conpole"), import_name("progress")))
#endif
void conpole_progress(const char* json, std::size_t size);
// NOLINTEND(readability-identifier-naming)

}  // extern "C"
