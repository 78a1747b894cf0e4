#include "vm/domain_xml.h"

#include <gtest/gtest.h>

namespace bisect_run::vm {
namespace {

DomainSpec spec() {
  DomainSpec it;
  it.name = "bisect-run-x-1";
  it.cmdline = "console=ttyS0 a=\"<&'>\"";
  return it;
}

const DomainPlaces kPlaces{"/usr/bin/qemu-system-x86_64", "pc-i440fx-7.2", "/r/kernel", "/r/initrd",
                           "/r/console"};

TEST(DomainXml, TextOfPeopleCannotBecomeMarkup) {
  const auto xml = domain_xml(spec(), kPlaces);
  EXPECT_NE(xml.find("<cmdline>console=ttyS0 a=&quot;&lt;&amp;&apos;&gt;&quot;</cmdline>"),
            xml.npos);
  EXPECT_EQ(xml_escaped("a\nb\x01"), "a?b?");
}

TEST(DomainXml, EveryWayToEndDestroysAndNothingIsReachable) {
  const auto xml = domain_xml(spec(), kPlaces);
  for (const char* word : {"<on_poweroff>destroy", "<on_reboot>destroy", "<on_crash>destroy"})
    EXPECT_NE(xml.find(word), xml.npos) << word;
  for (const char* word : {"<interface", "<disk", "<filesystem", "<hostdev", "<graphics"})
    EXPECT_EQ(xml.find(word), xml.npos) << word;
}

TEST(DomainXml, OneCpuASocketAndThePinnedMachine) {
  DomainSpec four = spec();
  four.cpus = 4;
  const auto xml = domain_xml(four, kPlaces);
  EXPECT_NE(xml.find("<vcpu>4</vcpu>"), xml.npos);
  EXPECT_NE(xml.find("sockets='4' dies='1' cores='1' threads='1'"), xml.npos);
  EXPECT_NE(xml.find("machine='pc-i440fx-7.2'"), xml.npos);
}

TEST(DomainXml, AcceleratorAndClock) {
  DomainSpec it = spec();
  EXPECT_TRUE(domain_xml(it, kPlaces).starts_with("<domain type='qemu'"));
  EXPECT_EQ(domain_xml(it, kPlaces).find("icount"), std::string::npos);
  it.virtual_clock = true;
  EXPECT_NE(domain_xml(it, kPlaces).find("-icount"), std::string::npos);
  it.kvm = true;
  EXPECT_TRUE(domain_xml(it, kPlaces).starts_with("<domain type='kvm'"));
}

TEST(XmlElement, FirstOfItsNameOrNothing) {
  EXPECT_EQ(xml_element("<a><path>/x</path><path>/y</path></a>", "path"), "/x");
  EXPECT_EQ(xml_element("<path>/x", "path"), "");
  EXPECT_EQ(xml_element("", "path"), "");
}

}  // namespace
}  // namespace bisect_run::vm
