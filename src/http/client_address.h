// Who a request is from, for shares and limits: an address, also behind proxies that the operator trusts. Immutable; any thread
// may use it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/address.hpp>

namespace conpole {

class TrustedProxies {
 public:
  TrustedProxies() = default;
  // Addresses or networks: 10.0.0.7, 10.0.0.0/8, fd00::/8. Throws Error for anything else.
  explicit TrustedProxies(const std::vector<std::string>& networks);

  bool Trusts(const boost::asio::ip::address& address) const;
  // The client behind a connection from `peer` whose request says X-Forwarded-For: the last address there that no trusted proxy
  // has; the peer itself if it is not trusted.
  boost::asio::ip::address ClientOf(const boost::asio::ip::address& peer, std::string_view forwarded_for) const;

 private:
  struct Network {
    boost::asio::ip::address_v6 address;
    unsigned bits;
  };
  std::vector<Network> networks_;
};

// What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, which is what one customer has.
std::string ShareOf(const boost::asio::ip::address& address);

// Whether a request's own id can be passed on: short, and nothing in it that could mislead a reader of logs.
bool IsRequestId(std::string_view text);

}  // namespace conpole
