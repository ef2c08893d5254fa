#include "http/client_address.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/text.h"

namespace conpole {
namespace {

namespace ip = boost::asio::ip;

constexpr unsigned kBitsBeforeV4 = 96;  // of an IPv4 address that is written as one of IPv6
constexpr std::size_t kMaxIdBytes = 64;

ip::address_v6 ToV6(const ip::address& address) {
  return address.is_v4() ? ip::make_address_v6(ip::v4_mapped, address.to_v4()) : address.to_v6();
}

ip::address Unmapped(const ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  return address;
}

bool HaveSameBits(const ip::address_v6& a, const ip::address_v6& b, unsigned bits) {
  const auto left = a.to_bytes();
  const auto right = b.to_bytes();
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned mask = 0x80U >> (i % 8);
    if ((left[i / 8] & mask) != (right[i / 8] & mask)) return false;
  }
  return true;
}

std::optional<ip::address> ReadAddress(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  boost::system::error_code error;
  const ip::address address = ip::make_address(std::string(text), error);
  if (error) return std::nullopt;
  return Unmapped(address);
}

}  // namespace

TrustedProxies::TrustedProxies(const std::vector<std::string>& networks) {
  for (const std::string& text : networks) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::optional<ip::address> address = ReadAddress(std::string_view(text).substr(0, slash));
    const unsigned most = address && address->is_v4() ? 32 : 128;
    unsigned bits = most;
    bool is_right = address.has_value();
    if (slash < text.size()) {
      const char* const end = text.data() + text.size();
      const auto read = std::from_chars(text.data() + slash + 1, end, bits);
      is_right = is_right && read.ec == std::errc() && read.ptr == end && bits <= most;
    }
    if (!is_right) throw Error(fmt::format("{} is no address and no network; 10.0.0.7 and 10.0.0.0/8 are", Shown(text)));
    networks_.push_back({ToV6(*address), address->is_v4() ? bits + kBitsBeforeV4 : bits});
  }
}

bool TrustedProxies::Trusts(const ip::address& address) const {
  return std::any_of(networks_.begin(), networks_.end(),
                     [&](const Network& one) { return HaveSameBits(one.address, ToV6(address), one.bits); });
}

ip::address TrustedProxies::ClientOf(const ip::address& peer, std::string_view forwarded_for) const {
  ip::address client = Unmapped(peer);
  // Each proxy adds the address that it was asked by; what comes before an address that is not trusted may be invented.
  while (!forwarded_for.empty() && Trusts(client)) {
    const std::size_t comma = forwarded_for.rfind(',');
    const std::string_view last = comma == std::string_view::npos ? forwarded_for : forwarded_for.substr(comma + 1);
    const std::optional<ip::address> address = ReadAddress(last);
    if (!address) break;
    client = *address;
    forwarded_for = comma == std::string_view::npos ? std::string_view() : forwarded_for.substr(0, comma);
  }
  return client;
}

std::string ShareOf(const ip::address& address) {
  const ip::address plain = Unmapped(address);
  if (plain.is_v4()) return plain.to_string();
  ip::address_v6::bytes_type bytes = plain.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return ip::address_v6(bytes).to_string() + "/64";
}

bool IsRequestId(std::string_view text) {
  return !text.empty() && text.size() <= kMaxIdBytes && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
  });
}

}  // namespace conpole
