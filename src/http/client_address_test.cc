#include "http/client_address.h"

#include <string>

#include <gtest/gtest.h>

#include "conpole/error.h"

namespace conpole {
namespace {

boost::asio::ip::address At(const std::string& text) { return boost::asio::ip::make_address(text); }

TEST(ClientAddressTest, NobodyIsBelievedUnlessTrusted) {
  const TrustedProxies none;
  EXPECT_EQ(none.ClientOf(At("192.0.2.1"), "198.51.100.7"), At("192.0.2.1"));
  const TrustedProxies proxies({"10.0.0.0/8", "192.0.2.1", "fd00::/8"});
  EXPECT_TRUE(proxies.Trusts(At("10.255.3.4")));
  EXPECT_FALSE(proxies.Trusts(At("11.0.0.1")));
  EXPECT_TRUE(proxies.Trusts(At("::ffff:192.0.2.1")));
  EXPECT_FALSE(proxies.Trusts(At("192.0.2.2")));
  EXPECT_TRUE(proxies.Trusts(At("fd12::1")));
  EXPECT_FALSE(proxies.Trusts(At("fe80::1")));
  EXPECT_EQ(proxies.ClientOf(At("203.0.113.9"), "198.51.100.7"), At("203.0.113.9"));
}

TEST(ClientAddressTest, TheLastAddressThatNoProxyHasIsTheClient) {
  const TrustedProxies proxies({"10.0.0.0/8"});
  EXPECT_EQ(proxies.ClientOf(At("10.0.0.1"), "198.51.100.7"), At("198.51.100.7"));
  EXPECT_EQ(proxies.ClientOf(At("10.0.0.1"), "198.51.100.7, 10.0.0.2"), At("198.51.100.7"));
  // What a client wrote itself comes first and counts for nothing.
  EXPECT_EQ(proxies.ClientOf(At("10.0.0.1"), "1.1.1.1,198.51.100.7 ,10.0.0.2"), At("198.51.100.7"));
  EXPECT_EQ(proxies.ClientOf(At("10.0.0.1"), ""), At("10.0.0.1"));
  EXPECT_EQ(proxies.ClientOf(At("10.0.0.1"), "unknown"), At("10.0.0.1"));
  EXPECT_EQ(proxies.ClientOf(At("10.0.0.1"), "2001:db8::1"), At("2001:db8::1"));
}

TEST(ClientAddressTest, WhatIsNoNetworkIsRefused) {
  for (const std::string wrong : {"", "proxy", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8x", "fd00::/129", "10.0.0.0/-1"}) {
    EXPECT_THROW(TrustedProxies({wrong}), Error) << wrong;
  }
}

TEST(ClientAddressTest, OneCustomerIsOneClient) {
  EXPECT_EQ(ShareOf(At("192.0.2.1")), "192.0.2.1");
  EXPECT_EQ(ShareOf(At("::ffff:192.0.2.1")), "192.0.2.1");
  EXPECT_EQ(ShareOf(At("2001:db8:1:2:3:4:5:6")), ShareOf(At("2001:db8:1:2::9")));
  EXPECT_NE(ShareOf(At("2001:db8:1:2::9")), ShareOf(At("2001:db8:1:3::9")));
}

TEST(ClientAddressTest, IdsAreShortAndPlain) {
  EXPECT_TRUE(IsRequestId("4bf92f35-77b3.a_1"));
  EXPECT_FALSE(IsRequestId(""));
  EXPECT_FALSE(IsRequestId("a b"));
  EXPECT_FALSE(IsRequestId("a\"b"));
  EXPECT_FALSE(IsRequestId(std::string(65, 'a')));
}

}  // namespace
}  // namespace conpole
