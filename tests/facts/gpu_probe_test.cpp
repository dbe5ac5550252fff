// The probe against stand-in driver libraries (standin/). GONOGO_STANDIN_DIR is where they were built, and
// GONOGO_PROBE the program that asks them.
#include "facts/gpu_probe.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"

using namespace gonogo;

namespace {

struct Answer {
  std::string text;              // what the probe printed
  std::vector<std::string> log;  // the calls that the stand-ins saw
  int status = -1;

  bool called(const std::string& name) const { return std::find(log.begin(), log.end(), name) != log.end(); }
};

using Variables = std::map<std::string, std::string>;

// Runs the probe program where the stand-ins behave as `behaviour`. Our own GPU variables don't reach it.
Answer probe(const std::string& behaviour, const Variables& variables = {}, const std::string& arguments = "10000") {
  const std::string log = "/tmp/gonogo-probe-log-" + std::to_string(::getpid());
  ::unlink(log.c_str());
  std::string command = std::string("env -u CUDA_VISIBLE_DEVICES -u CUDA_DEVICE_ORDER LD_LIBRARY_PATH='") +
                        GONOGO_STANDIN_DIR + "' STANDIN=" + behaviour + " STANDIN_LOG=" + log;
  for (const auto& [name, value] : variables) command += " '" + name + "=" + value + "'";
  command += std::string(" '") + GONOGO_PROBE + "' " + arguments + " 2>&1";
  Answer answer;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) answer.text.append(buffer, got);
  answer.status = ::pclose(pipe);
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) answer.log.push_back(line);
  ::unlink(log.c_str());

  INFO(behaviour << ": " << answer.text);
  CHECK(answer.status == 0);
  for (const std::string& line : answer.log) CHECK(line.substr(0, 1) != "!");  // a call that is forbidden
  return answer;
}

std::string uuid(const std::string& byte) {
  const std::string two = byte + byte;
  return "GPU-" + two + two + "-" + two + "-" + two + "-" + two + "-" + two + two + two;
}

std::string row(const std::string& name, const std::string& rest, const std::string& id) {
  return name + "|nvidia|" + rest + "|" + id + "\n";
}

std::string equal(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += row("Equal GPU", "10.0|183359|148", uuid("1" + std::to_string(i)));
  return out;
}

const std::string kLarge = row("Large GPU", "9.0|81559|132", uuid("20"));
const std::string kSmall1 = row("Small GPU", "8.9|46068|142", uuid("10"));
const std::string kSmall2 = row("Small GPU", "8.9|46068|142", uuid("30"));
const std::string kSource = "source: NVIDIA driver 999.1";

}  // namespace

TEST_CASE("the driver is asked for what the rules need") {
  const Answer answer = probe("eight_equal");
  CHECK(answer.text == equal(8) + kSource + "\n");
  // The stand-ins were really asked, so the absence of forbidden calls means something.
  CHECK(answer.called("nvmlInit_v2"));
  CHECK(answer.called("cuInit"));
  CHECK(answer.called("cuDeviceGetAttribute"));
}

TEST_CASE("GPUs are counted as CUDA counts them") {
  const struct {
    Variables variables;
    std::string text;
  } rows[] = {
      {{}, kLarge + kSmall1 + kSmall2},  // the fastest first
      {{{"CUDA_DEVICE_ORDER", "FASTEST_FIRST"}}, kLarge + kSmall1 + kSmall2},
      {{{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}}, kSmall1 + kLarge + kSmall2},
  };
  for (const auto& row : rows) CHECK(probe("mixed", row.variables).text == row.text + kSource + "\n");
  CHECK(probe("mixed", {{"CUDA_VISIBLE_DEVICES", "0"}}).text == kLarge + kSource + ", CUDA_VISIBLE_DEVICES=0\n");
  CHECK(probe("mixed", {{"CUDA_VISIBLE_DEVICES", "0"}, {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}}).text ==
        kSmall1 + kSource + ", CUDA_VISIBLE_DEVICES=0\n");
  CHECK(probe("mixed", {{"CUDA_VISIBLE_DEVICES", "GPU-30,GPU-20"}}).text ==
        kSmall2 + kLarge + kSource + ", CUDA_VISIBLE_DEVICES=GPU-30,GPU-20\n");
  CHECK(probe("mixed", {{"CUDA_VISIBLE_DEVICES", ""}}).text == kSource + ", CUDA_VISIBLE_DEVICES=\n");
}

TEST_CASE("of divided GPUs a process sees one instance") {
  const std::string first = row("Divided GPU MIG", "9.0|40320|60", "MIG-aaaa1111-0000");
  const std::string second = row("Divided GPU MIG", "9.0|20096|32", "MIG-aaaa2222-0000");
  CHECK(probe("mig").text == first + kSource + "\n");
  CHECK(probe("mig", {{"CUDA_VISIBLE_DEVICES", "MIG-aaaa2222"}}).text ==
        second + kSource + ", CUDA_VISIBLE_DEVICES=MIG-aaaa2222\n");
  const std::string whole = row("Whole GPU", "9.0|81559|132", uuid("10"));
  CHECK(probe("mig", {{"CUDA_VISIBLE_DEVICES", "0"}}).text == whole + kSource + ", CUDA_VISIBLE_DEVICES=0\n");
}

TEST_CASE("no driver is not an error") {
  CHECK(probe("no_driver").text == "no driver\n");
  CHECK(probe("eight_equal", {}, "10000 /none/nvml.so /none/cuda.so").text == "no driver\n");
  CHECK(probe("none", {}, "10000 /none/nvml.so").text == "no driver\n");  // CUDA alone, and no device
  CHECK(probe("none").text == kSource + "\n");                            // a driver without a GPU
}

TEST_CASE("one of the two libraries is enough") {
  std::string without_cuda, without_nvml;
  for (int i = 0; i < 8; ++i) {
    without_cuda += row("Equal GPU", "10.0|183359|0", uuid("1" + std::to_string(i)));
    without_nvml += row("Equal GPU", "10.0|182859|148", uuid("1" + std::to_string(i)));
  }
  CHECK(probe("eight_equal", {}, "10000 libnvidia-ml.so.1 /none/cuda.so").text == without_cuda + kSource + "\n");
  CHECK(probe("eight_equal", {}, "10000 /none/nvml.so").text == without_nvml + "source: NVIDIA driver\n");
  // A GPU that shares the host's memory: NVML can't tell it, CUDA can.
  CHECK(probe("shared_memory").text == without_nvml + kSource + "\n");
}

TEST_CASE("a driver that fails is an error that says how") {
  const struct {
    std::string behaviour, text;
  } rows[] = {
      {"nvml_error", "error: the GPU driver: nvmlInit: Unknown Error ("},
      {"lost", "error: the GPU driver: GPU 3: no handle: GPU is lost ("},
      {"cuda_error", "error: the GPU driver: cuInit: CUDA_ERROR_SYSTEM_NOT_READY (nvidia-smi may tell more"},
      {"cuda_none", "error: the GPU driver: NVML sees 8 GPUs, CUDA sees none ("},
      {"nvml_crash", "error: the GPU driver crashed when asked (Segmentation fault) (--gpu "},
      {"cuda_exit", "error: the GPU driver ended the process that asked it (--gpu "},
  };
  for (const auto& row : rows) CHECK(probe(row.behaviour).text.substr(0, row.text.size()) == row.text);
}

TEST_CASE("a driver that hangs costs the time limit and no more") {
  for (const std::string behaviour : {"nvml_hang", "cuda_hang"}) {
    const auto before = std::chrono::steady_clock::now();
    const Answer answer = probe(behaviour, {}, "300");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    CHECK(answer.text.find("error: the GPU driver did not answer within 300 ms") == 0);
    CHECK(answer.called(behaviour == "nvml_hang" ? "nvmlInit_v2" : "cuInit"));
    CHECK(took.count() >= 0.3);
    CHECK(took.count() < 5);
  }
}

TEST_CASE("CUDA_VISIBLE_DEVICES is read as the driver reads it") {
  std::vector<Device> devices(4);
  for (std::size_t i = 0; i < 4; ++i)
    devices[i].gpu.uuid = "GPU-" + std::string(i < 2 ? "aa" : "bb") + std::to_string(i);
  const struct {
    std::optional<std::string> list;
    std::string seen;  // the last digit of each UUID
  } rows[] = {
      {std::nullopt, "0123"},
      {"", ""},
      {"0", "0"},
      {"3,1", "31"},
      {" 2 , 0 ", "20"},
      {"0,1,2,3", "0123"},
      {"0,9,1", "0"},  // an ordinal that is none ends the list
      {"-1", ""},
      {"2,-1,0", "2"},
      {"NoDevFiles", ""},
      {"0,x,1", "0"},
      {"0,,1", "0"},
      {"1gpu,0", "10"},  // read as strtoul reads it
      {"0,0", ""},       // an entry that stands twice leaves none
      {"1,2,1", ""},
      {"99999999999999999999", ""},
      {"GPU-aa0", "0"},
      {"GPU-bb2,GPU-aa1", "21"},
      {"GPU-aa", ""},  // two begin so
      {"GPU-aa0,GPU-cc,GPU-bb3", "0"},
      {"GPU-aa0,GPU-aa0", ""},
      {"gpu-aa0", ""},
      {"MIG-aa0", ""},
  };
  for (const auto& row : rows) {
    INFO("CUDA_VISIBLE_DEVICES=" << row.list.value_or("(not set)"));
    std::string seen;
    for (const Gpu& gpu : visible(devices, row.list)) seen += gpu.uuid.back();
    CHECK(seen == row.seen);
  }
}

TEST_CASE("instances are seen one at a time") {
  // 0: whole, 1: divided in two, 2: divided and without an instance
  std::vector<Device> devices(3);
  devices[0].gpu.uuid = "GPU-0";
  devices[1].gpu.uuid = "GPU-1";
  devices[1].divided = true;
  devices[1].instances.resize(2);
  devices[1].instances[0].uuid = "MIG-a";
  devices[1].instances[1].uuid = "MIG-b";
  devices[2].gpu.uuid = "GPU-2";
  devices[2].divided = true;
  const struct {
    std::optional<std::string> list;
    std::string seen;
  } rows[] = {
      {std::nullopt, "MIG-a"},
      {"0", "GPU-0"},
      {"1", "MIG-a"},
      {"0,1", "MIG-a"},
      {"2", ""},
      {"2,0", ""},
      {"MIG-b", "MIG-b"},
      {"MIG-b,MIG-a", "MIG-b"},
      {"MIG-", ""},
      {"GPU-1", "MIG-a"},
      {"GPU-0,MIG-b", "MIG-b"},
  };
  for (const auto& row : rows) {
    INFO("CUDA_VISIBLE_DEVICES=" << row.list.value_or("(not set)"));
    std::string seen;
    for (const Gpu& gpu : visible(devices, row.list)) seen += gpu.uuid;
    CHECK(seen == row.seen);
  }
  devices.erase(devices.begin() + 1, devices.end());
  CHECK(visible(devices, std::nullopt).size() == 1);
  CHECK(visible({}, std::nullopt).empty());
}

TEST_CASE("many launches see this machine's GPUs as one does, from any thread", "[facts]") {
  const Environment none(Environment::Assignments{{"CUDA_VISIBLE_DEVICES", ""}});
  const Environment as_it_is;
  for (const Environment* env : {&none, &as_it_is}) {
    const auto one = probe_gpus(*env);
    std::vector<std::string> seen(8);
    std::vector<std::thread> threads;
    for (std::string& text : seen) {
      threads.emplace_back([&text, env] {
        const auto many = local_gpus(*env);
        text = !many ? many.error().what : !*many ? "no driver" : gpus_to_json(**many, false);
      });
    }
    for (std::thread& thread : threads) thread.join();
    const std::string wanted = !one ? one.error().what : !*one ? "no driver" : gpus_to_json(**one, false);
    for (const std::string& text : seen) CHECK(text == wanted);
  }
}
