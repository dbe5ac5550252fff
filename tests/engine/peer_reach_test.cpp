// What is at an address, by what the file says of caller and launch.
#include "engine/peer_reach.h"

#include <string>
#include <vector>

#include "catch.h"

namespace gonogo {

namespace {

enum class Where { kBeside, kMaybeBeside, kApart };  // of the launch to its caller

struct Row {
  const char* what;
  const char* to;  // the host that is called, at port 80
  const char* host;
  int port;
  Where where;
  std::vector<ReachedName> names;
  Reach reach;
};

const std::vector<ReachedName> kNone;

}  // namespace

TEST_CASE("an address leads to a launch", "[engine]") {
  const ReachedName any{"pod", {}, {}};
  const ReachedName mapped{"svc", 80, 30000};
  const ReachedName blind{"svc", 80, {}};
  for (const Row& row : {
           Row{"this machine", "127.0.0.1", "0.0.0.0", 80, Where::kBeside, kNone, Reach::kAnswers},
           Row{"by name", "localhost", "127.0.0.1", 80, Where::kMaybeBeside, kNone, Reach::kAnswers},
           Row{"another port", "127.0.0.1", "0.0.0.0", 81, Where::kBeside, kNone, Reach::kPort},
           Row{"of a launch that may not run then", "127.0.0.1", "0.0.0.0", 81, Where::kMaybeBeside, kNone,
               Reach::kElsewhere},
           Row{"an address of its own", "127.0.0.1", "10.0.0.1", 80, Where::kBeside, kNone, Reach::kClosed},
           Row{"of unknown kind", "127.0.0.1", "${IP}", 80, Where::kBeside, kNone, Reach::kUnknown},
           Row{"another machine's own", "127.0.0.1", "0.0.0.0", 80, Where::kApart, kNone, Reach::kUnknown},
           Row{"its port may be published as any", "127.0.0.1", "0.0.0.0", 81, Where::kApart, kNone, Reach::kUnknown},
           Row{"its own address", "10.0.0.1", "10.0.0.1", 80, Where::kApart, kNone, Reach::kAnswers},
           Row{"as it is written", "${IP}", "${IP}", 80, Where::kBeside, kNone, Reach::kAnswers},
           Row{"which is another on another machine", "${IP}", "${IP}", 80, Where::kApart, kNone, Reach::kUnknown},
           Row{"at another port", "10.0.0.1", "10.0.0.1", 81, Where::kBeside, kNone, Reach::kPort},
           Row{"another address, which may be this machine's", "10.0.0.2", "0.0.0.0", 80, Where::kBeside, kNone,
               Reach::kUnknown},
           Row{"but not at that port", "10.0.0.2", "0.0.0.0", 81, Where::kBeside, kNone, Reach::kElsewhere},
           Row{"a name", "pod", "0.0.0.0", 80, Where::kApart, {any}, Reach::kAnswers},
           Row{"with another port", "pod", "0.0.0.0", 81, Where::kApart, {any}, Reach::kPort},
           Row{"of a launch that listens for itself alone",
               "pod",
               "127.0.0.1",
               80,
               Where::kApart,
               {any},
               Reach::kClosed},
           Row{"a port that is led on", "svc", "0.0.0.0", 30000, Where::kApart, {mapped}, Reach::kAnswers},
           Row{"to where nobody listens", "svc", "0.0.0.0", 80, Where::kApart, {mapped}, Reach::kPort},
           Row{"to where nobody knows", "svc", "0.0.0.0", 80, Where::kApart, {blind}, Reach::kUnknown},
       }) {
    INFO(row.what);
    const Entry entries[] = {{Value::str("host"), Value::str(row.to)}, {Value::str("port"), Value::integer(80)}};
    const std::vector<std::string> labels;
    const Listener listener{Value::str(row.host),       Value::integer(row.port),   &row.names, &labels, false,
                            row.where != Where::kApart, row.where == Where::kBeside};
    CHECK(reach_of(Value::dict(entries, 2), listener) == row.reach);
  }
}

TEST_CASE("labels pick a launch", "[engine]") {
  struct Labels {
    const char* what;
    std::vector<const char*> wanted;
    std::vector<std::string> has;
    Reach reach;
  };
  for (const Labels& row : {
           Labels{"all of them", {"a=1"}, {"a=1", "b=2"}, Reach::kAnswers},
           Labels{"another value", {"a=1", "b=3"}, {"a=1", "b=2"}, Reach::kElsewhere},
           Labels{"one that may be added", {"a=1", "c=3"}, {"a=1", "b=2"}, Reach::kUnknown},
           Labels{"of a launch without any", {"a=1"}, {}, Reach::kUnknown},
           Labels{"none", {}, {"a=1"}, Reach::kUnknown},
       }) {
    INFO(row.what);
    std::vector<Value> wanted;
    for (const char* label : row.wanted) wanted.push_back(Value::str(label));
    const Entry entries[] = {
        {Value::str("labels"), Value::list(wanted.data(), static_cast<std::uint32_t>(wanted.size()))},
        {Value::str("port"), Value::integer(80)}};
    const auto reach = [&](const char* host, int port) {
      const std::vector<ReachedName> names;
      return reach_of(Value::dict(entries, 2), {Value::str(host), Value::integer(port), &names, &row.has});
    };
    CHECK(reach("0.0.0.0", 80) == row.reach);
    const bool picked = row.reach == Reach::kAnswers;
    CHECK(reach("0.0.0.0", 81) == (picked ? Reach::kPort : row.reach));
    CHECK(reach("127.0.0.1", 80) == (picked ? Reach::kClosed : row.reach));
  }
}

}  // namespace gonogo
