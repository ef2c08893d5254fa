// A port of this machine for processes of a test to meet at.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

namespace conpole {

// The port, or one that the system chooses if it is 0; 0 if somebody uses it.
inline std::uint16_t BoundPort(std::uint16_t port) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t size = sizeof address;
  const bool is_free = bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  close(listener);
  return is_free ? ntohs(address.sin_port) : 0;
}

// One that nobody uses now: any, or the first from `low` on, below `high`, if they are given; 0 if there is none.
inline std::uint16_t FreePort(int low = 0, int high = 1) {
  for (int port = low; port < high; ++port) {
    if (const std::uint16_t bound = BoundPort(static_cast<std::uint16_t>(port)); bound != 0) return bound;
  }
  return 0;
}

}  // namespace conpole
