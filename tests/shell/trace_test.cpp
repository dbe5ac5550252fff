// What scripts launch, a row a behaviour: the script, and its launches as "LINE entry words… {env} ?condition".
#include "shell/trace.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "../flags/small_pack.h"
#include "catch.h"

namespace gonogo {
namespace {

using testing::small_pack;

std::string shown(const FoundLaunch& launch) {
  std::string out = std::to_string(launch.place.line) + " " + launch.entry;
  for (const FoundWord& word : launch.args) out += " " + (word.text.empty() ? "''" : word.text);
  for (const FoundVariable& variable : launch.env) out += " {" + variable.name + "=" + variable.value.text + "}";
  if (launch.conditional.has_value()) out += " ?" + *launch.conditional;
  return out;
}

struct Traced {
  Sources sources;
  ShellTrace trace;
};

Traced follow(const std::string& script, const ShellInput& extra = {}, const ShellLimits& limits = {}) {
  Traced out;
  ShellInput input = extra;
  input.script = Text(script, {out.sources.add("script.sh", script), 0});
  out.trace = trace(small_pack(), out.sources, input, limits);
  return out;
}

std::vector<std::string> launches(const std::string& script, const ShellInput& extra = {}) {
  std::vector<std::string> out;
  for (const FoundLaunch& launch : follow(script, extra).trace.launches) out.push_back(shown(launch));
  return out;
}

using Lines = std::vector<std::string>;

struct Row {
  const char* script;
  Lines launches;
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    INFO(row.script);
    CHECK(launches(row.script) == row.launches);
  }
}

TEST_CASE("words: quotes, variables and defaults") {
  check({
      {"toy serve 'a b' \"c d\" e\\ f $'g\\th'", {"1 toy serve a b c d e f g\th"}},
      {"M=m\ntoy serve \"$M\" '$M' \\$M ${M}x", {"2 toy serve m $M $M mx"}},
      {"toy serve ${M:-m} ${N-n} \"${O:-two words}\"", {"1 toy serve m n two words"}},
      {"F='--a 1'\ntoy serve $F \"$F\"", {"2 toy serve --a 1 --a 1"}},
      {"X=\ntoy serve $X \"$X\" ${X:-d} \"${X-e}\"", {"2 toy serve '' d ''"}},
      {"toy serve $M \"${N}x\" ~/m", {"1 toy serve ${M} ${N}x ${HOME}/m"}},
      {"A=(a 'b c')\nA+=(d)\ntoy serve \"${A[@]}\" ${#A[@]} \"${A[*]}\" ${A[1]}",
       {"3 toy serve a b c d 3 a b c d b c"}},
      {"declare -A P=([x]=1 [y]=2)\ntoy serve ${P[y]}", {"2 toy serve 2"}},
      {"P=/a/b.c.d\ntoy serve ${P##*/} ${P%.*} ${P%%.*} ${P/b/x} ${P:1:1} ${#P} ${P^^}",
       {"2 toy serve b.c.d /a/b.c /a/b /a/x.c.d a 8 /A/B.C.D"}},
      {"toy serve {1..3} x{a,b}y \"{a,b}\" {03..1}", {"1 toy serve 1 2 3 xay xby {a,b} 03 02 01"}},
      {"N=010\ntoy serve $((N+1)) $((16#ff)) $((7/2)) $((2**10)) $((N > 3 ? 1 : 0))", {"2 toy serve 9 255 3 1024 1"}},
      {"toy serve a#b # c\n", {"1 toy serve a#b"}},
      {"toy serve a \\\n  b \\ \n  c", {"1 toy serve a b  "}},
      {"toy serve a\r\n", {"1 toy serve a"}},
      {"toy serve > log 2>&1 a < in b &", {"1 toy serve a b"}},
  });
}

TEST_CASE("what is not known keeps its name") {
  check({
      {"toy serve $(id -u) `nproc` ${X##*/} $((X * 2)) ${1} \"$@\"",
       {"1 toy serve $(id -u) $(nproc) ${X##*/} $((X * 2)) ${1} ${@}"}},
      {"IP=$(hostname -i)\nA=\"$B:1\"\ntoy serve $IP $A", {"3 toy serve ${IP} ${B}:1"}},
      {"n=($(list))\nh=${n[0]}\ntoy serve $h ${n[1]}", {"3 toy serve ${h} ${n[1]}"}},
      {"read -r a b\ntoy serve $a", {"2 toy serve ${a}"}},
      {"toy serve $(echo x y) $(seq 2) $(cat <<E\nz\nE\n)", {"1 toy serve x y 1 2 z"}},
  });
  const Traced traced = follow("toy serve $(id -u) ${X##*/} $((A+B)) '$C'");
  CHECK(traced.trace.launches.at(0).unknowns == Lines{"$(id -u)", "X", "A", "B"});
}

TEST_CASE("environment") {
  check({
      {"export A=1 B\nC=2\nD=3 toy serve", {"3 toy serve {A=1} {D=3}"}},
      {"export B\nB=2\nexport -n C\nC=3\ntoy serve", {"5 toy serve {B=2}"}},
      {"set -a\nA=1\nset +a\nB=2\ntoy serve", {"5 toy serve {A=1}"}},
      {"export A=1\nunset A\nexport PATH=/x\ntoy serve", {"4 toy serve"}},
      {"export A=1\nenv -u A B=2 toy serve\nenv -i C=3 toy serve", {"2 toy serve {B=2}", "3 toy serve {C=3}"}},
      {"export A=1 K=v\ndocker run -e K -e B=2 --env C=3 -e U img:1 toy serve x", {"2 toy serve x {B=2} {C=3} {K=v}"}},
      {"export A=1\nssh h toy serve\nsrun --export=ALL,B=2 toy serve", {"2 toy serve", "3 toy serve {A=1} {B=2}"}},
      {"A=1\nA=2 toy serve $A\ntoy serve $A", {"2 toy serve 1 {A=2}", "3 toy serve 1"}},
  });
}

TEST_CASE("programs that start others") {
  check({
      {"nohup timeout -k 5 1h nice -n 3 python3 -u -m toy.launch a", {"1 toy.launch a"}},
      {"torchrun --nproc-per-node 2 -m toy.launch a\nuv run --with x python -m toy.launch b",
       {"1 toy.launch a", "2 toy.launch b"}},
      {"numactl -N 0 -m 0 conda run -n e toy serve a\ntaskset -c 0-3 mpirun -np 2 -x A=1 toy serve b",
       {"1 toy serve a", "2 toy serve b {A=1}"}},
      {"bash -lc 'toy serve a &&\n toy serve b'", {"1 toy serve a", "2 toy serve b"}},
      {"C='toy serve'\nbash -c \"$C x\"\neval $C y\n$C z", {"2 toy serve x", "3 toy serve y", "4 toy serve z"}},
      {"ssh -p 22 h \"\n toy serve $X\"", {"2 toy serve ${X}"}},
      {"bash <<E\ntoy serve a\nE\ncat <<E | ssh h bash\ntoy serve b\nE", {"2 toy serve a", "5 toy serve b"}},
      {"cat > r.sh <<'E'\ntoy serve $A\nE\nA=1 bash r.sh", {"2 toy serve 1 {A=1}"}},
      {"$PY -m toy.launch a\n${P:-python3} -m toy.launch b\npython /x/toy/launch.py c",
       {"1 toy.launch a", "2 toy.launch b", "3 toy.launch c"}},
      {"docker run --entrypoint python img -m toy.launch a", {"1 toy.launch a"}},
      {"docker run $MORE --rm -e A=1 img toy serve a\ndocker run \"${M[@]}\" --entrypoint toy $I serve b",
       {"1 toy serve a {A=1}", "2 toy serve b"}},
      {"command toy serve a\nexec toy serve b\ntoy serve never", {"1 toy serve a", "2 toy serve b"}},
  });
}

TEST_CASE("what is no launch") {
  check({
      {"# toy serve\necho toy serve\ncat <<E\ntoy serve\nE\npkill -f 'toy serve'", {}},
      {"toy serve --help\npython -m toy.other\nls toy/serve", {}},
      {"f() { toy serve; }\n: <<E\ntoy serve\nE", {}},
      {"toy() { echo; }\ntoy serve a\ncommand toy serve b", {"3 toy serve b"}},
      {"alias s='toy serve'\ns a", {}},
      {"shopt -s expand_aliases\nalias s='toy serve'\ns a", {"3 toy serve a"}},
      {"exit\ntoy serve", {}},
  });
}

TEST_CASE("conditions are decided, or open") {
  check({
      {"T=2\nif [ $T -gt 4 ]; then toy serve a; elif [[ $T == 2 ]]; then toy serve b; fi", {"2 toy serve b"}},
      {"false && toy serve a\ntrue && toy serve b\n(( 0 )) || toy serve c", {"2 toy serve b", "3 toy serve c"}},
      {"if [ -f x ]; then A=1; else A=2; fi\ntoy serve $A", {"2 toy serve 2 ?!([ -f x ])", "2 toy serve 1 ?[ -f x ]"}},
      {"[ \"$R\" = 0 ] && E=--x\ntoy serve $R $E",
       {"2 toy serve ${R} ${E} ?!([ \"$R\" = 0 ])", "2 toy serve 0 --x ?[ \"$R\" = 0 ]"}},
      {"K=${1:-a}\ncase $K in a) V=1;; b) V=2;; *) exit 1;; esac\ntoy serve $K $V",
       {"3 toy serve a 1 ?case $K in a)", "3 toy serve b 2 ?case $K in b)"}},
      {"N=${N:-1}\nif (( N > 1 )); then M=--many; fi\ntoy serve $N $M",
       {"3 toy serve 1 ${M} ?!((( N > 1 )))", "3 toy serve ${N} --many ?(( N > 1 ))"}},
      {"toy serve ${C:+--c \"$C\"}", {"1 toy serve ?!(${C:+--c \"$C\"})", "1 toy serve --c ${C} ?${C:+--c \"$C\"}"}},
      {"cd d || exit 1\nmkdir -p x && toy serve a\nfoo || toy serve b", {"2 toy serve a", "3 toy serve b ?!(foo)"}},
      {"[ -d a ] || mkdir a\nif [ -f b ]; then echo; fi\ntoy serve", {"3 toy serve"}},
      {"if [ -z \"$X\" ]; then exit 1; fi\ntoy serve $X", {"2 toy serve ${X} ?!([ -z \"$X\" ])"}},
      {"if [ \"$X\" = 1 ]; then A=1; fi\nif [ \"$X\" = 1 ]; then B=1; fi\ntoy serve $A$B",
       {"3 toy serve ${A}${B} ?!([ \"$X\" = 1 ])", "3 toy serve 11 ?[ \"$X\" = 1 ]"}},
  });
}

TEST_CASE("loops, functions and subshells") {
  check({
      {"for i in a b; do toy serve $i; done", {"1 toy serve a", "1 toy serve b"}},
      {"for ((i=0;i<4;i+=2)); do toy serve $i; done", {"1 toy serve 0", "1 toy serve 2"}},
      {"for h in $HOSTS; do toy serve $h; done", {"1 toy serve ${h}"}},
      {"for ((i=0;i<N;i++)); do toy serve $i; done", {"1 toy serve ${i}"}},
      {"i=0\nwhile [ $i -lt 3 ]; do toy serve $i; i=$((i+1)); done\ntoy serve $i", {"2 toy serve 0", "3 toy serve 3"}},
      {"while true; do toy serve a; done\nuntil curl x; do sleep 1; done\ntoy serve b",
       {"1 toy serve a", "3 toy serve b"}},
      {"for i in 1 2 3; do [ $i = 2 ] && continue; [ $i = 3 ] && break; toy serve $i; done", {"1 toy serve 1"}},
      {"f() { local a=$1; shift; toy serve $a \"$@\"; }\nf x 'y z'\nf w", {"1 toy serve x y z", "1 toy serve w"}},
      {"f() { return 1; }\nif f; then toy serve a; else toy serve b; fi", {"2 toy serve b"}},
      {"T=1\n( T=2; toy serve $T )\necho 3 | read -r T\ntoy serve $T", {"2 toy serve 2", "4 toy serve 1"}},
      {"set -- a b\ntoy serve $2 $#", {"2 toy serve b 2"}},
      {"for i in {1..90}; do v=$(f); [ \"$v\" = 1 ] && break; done\ntoy serve $v",
       {"2 toy serve ${v} ?!([ \"$v\" = 1 ]) && !([ \"$v\" = 1 ])", "2 toy serve 1 ?[ \"$v\" = 1 ]"}},
      {"for i in 1 2 3 4 5 6; do A=\"$A-\"; done\nfor ((j=0;j<6;j++)); do [ $j = 5 ] && B=$j; done\ntoy serve x$A$B",
       {"3 toy serve x${A}------5"}},
  });
}

TEST_CASE("jobs, containers and roles are facts") {
  const auto facts = [](const std::string& script) { return follow(script).trace.launches.at(0).facts; };
  const CarrierFacts job = facts("#!/bin/bash\n#SBATCH --nodes=2 --gres=gpu:h100:8\n#SBATCH -t 1\ntoy serve");
  CHECK(job.nnodes == 2);
  CHECK(job.gpus == 8);
  CHECK(job.gpu == "h100");
  const CarrierFacts step =
      facts("#SBATCH -N 4\nsrun -N1 --gpus-per-node=4 --container-image=r#a/toy:v1.1.0 toy serve");
  CHECK(step.nnodes == 1);
  CHECK(step.gpus == 4);
  CHECK(step.image == "r/a/toy:v1.1.0");
  CHECK(facts("docker run --gpus '\"device=0,1\"' a/toy:1 toy serve").gpus == 2);
  CHECK(facts("docker run --gpus=3 a/toy:1 toy serve").gpus == 3);
  CHECK_FALSE(facts("docker run --gpus all a/toy:1 toy serve").gpus.has_value());
}

TEST_CASE("every word leads back to where it was written") {
  const Traced traced = follow("A=(--size 4)\nbash -c 'toy serve \\\n  --out \"x y\"'\ntoy serve \"${A[@]}\" $U");
  const auto place = [](const FoundWord& word) {
    return std::to_string(word.place.line) + ":" + std::to_string(word.place.column);
  };
  const FoundLaunch& inner = traced.trace.launches.at(0);
  CHECK(place(inner.args.at(0)) == "3:3");
  CHECK(inner.args.at(0).literal);
  CHECK(place(inner.args.at(1)) == "3:10");
  const FoundLaunch& outer = traced.trace.launches.at(1);
  CHECK(place(outer.args.at(0)) == "1:4");
  CHECK(place(outer.args.at(1)) == "1:11");
  CHECK(place(outer.args.at(2)) == "4:21");
  CHECK_FALSE(outer.args.at(2).literal);
}

TEST_CASE("what the caller brings: variables, arguments, files, values of unknowns, documentation") {
  ShellInput input;
  input.variables = {{"A", Text("1"), true, true}, {"B", Text("2"), false, true}};
  input.variables.push_back({"R", {}, true, false});
  input.variables.back().value.append(Unknown{Unknown::Kind::kVariable, "${R}", {"R"}}, {});
  CHECK(launches("toy serve $A $B $R", input) == Lines{"1 toy serve 1 2 ${R} {A=1}"});
  input = {};
  input.arguments = {{Text("x"), Text("y z")}};
  CHECK(launches("toy serve $# \"$@\"", input) == Lines{"1 toy serve 2 x y z"});
  input = {};
  input.known = {{"X", "7"}, {"$(nproc)", "8"}, {"IP", "h"}};
  CHECK(launches("IP=$(f)\ntoy serve $X $(nproc) $IP", input) == Lines{"2 toy serve 7 8 h"});
  input = {};
  input.placeholders = true;
  CHECK(launches("toy serve <a model> ... < in > out", input) == Lines{"1 toy serve <a model> ..."});
  input = {};
  Lines asked;
  input.files = [&](const FileRequest& request, Sources& sources) -> std::optional<Text> {
    asked.push_back((request.beside ? "beside " : "") + request.path);
    const std::string text = "S=s\nexport E=e\n";
    return Text(text, {sources.add(request.path, text), 0});
  };
  CHECK(launches("D=$(cd \"$(dirname \"$0\")\" && pwd)\n. \"$D/env.sh\"\ntoy serve $S", input) ==
        Lines{"3 toy serve s {E=e}"});
  CHECK(launches("docker run --env-file ./f img toy serve", input) == Lines{"1 toy serve {S=s}"});
  CHECK(asked == Lines{"beside env.sh", "./f"});
}

TEST_CASE("words that no shell reads") {
  Sources sources;
  const std::string text = "[python3, -m, toy.launch, $X]\n[bash, -c, 'toy serve $X']";
  const std::uint32_t id = sources.add("list", text);
  ShellInput input;
  input.words = {Text("python3", {id, 1}), Text("-m", {id, 10}), Text("toy.launch", {id, 14}), Text("$X", {id, 26})};
  CHECK(shown(trace(small_pack(), sources, input).launches.at(0)) == "1 toy.launch $X");
  input.words = {Text("bash", {id, 31}), Text("-c", {id, 37}), Text("toy serve $X", {id, 42})};
  CHECK(shown(trace(small_pack(), sources, input).launches.at(0)) == "2 toy serve ${X}");
}

TEST_CASE("what a script reads from itself is known") {
  check({
      {"IFS=, read -ra G <<< 0,1,2\ntoy serve ${#G[@]} ${G[1]}", {"2 toy serve 3 1"}},
      {"IFS=: read -r H P <<< h:5\nread -r A B <<< ' x y  z '\ntoy serve $H $P $A \"$B\"", {"3 toy serve h 5 x y  z"}},
      {"mapfile -t A < <(printf '%s\\n' --a 4)\ntoy serve \"${A[@]}\"", {"2 toy serve --a 4"}},
      {"mapfile -t A < list\ntoy serve \"${A[@]}\"", {"2 toy serve ${A[@]}"}},
      {"while IFS== read -r k v; do A+=(--$k $v); done < <(printf 'a=1\\nb=2\\n')\ntoy serve ${A[@]}",
       {"2 toy serve --a 1 --b 2"}},
      {"while read -r m n; do toy serve $m $n; done <<E\na 1\nb 2\nE", {"1 toy serve a 1", "1 toy serve b 2"}},
      {"{ read -r m <&3; toy serve $m; } <<E\na\nE\nread -r n 3<<E\nb\nE\ntoy serve $n\nread -r o <&0 <<<c\ntoy serve "
       "$o",
       {"1 toy serve ${m}", "7 toy serve ${n}", "9 toy serve c"}},
      {"cat f | while read -r m; do toy serve $m; done", {"1 toy serve ${m}"}},
      {"read -rd '' S <<E\ntoy serve a\nE\neval \"$S\"", {"4 toy serve a"}},
      {"echo 3 | { read -r T; toy serve $T; }\ntoy serve $T", {"1 toy serve 3", "2 toy serve ${T}"}},
      {"[[ m-30B =~ ([0-9]+)B ]] && T=${BASH_REMATCH[1]}\ntoy serve $T", {"2 toy serve 30"}},
      {"printf -v N '%s-%02d' n 3\ntoy serve $N", {"2 toy serve n-03"}},
      {"A=(toy serve 'a b')\nS=$(printf '%q ' \"${A[@]}\")\nbash -c \"$S\"", {"3 toy serve a b"}},
      {"V=x\ntoy serve ${V@Q}", {"2 toy serve 'x'"}},
      {"B=()\ntoy serve \"${B[@]:-}\" \"${B[@]:-d}\"", {"2 toy serve '' d"}},
      {"add() { local -n ref=$1; shift; ref+=(\"$@\"); }\nA=(a)\nadd A b c\ntoy serve \"${A[@]}\"",
       {"4 toy serve a b c"}},
      {"K=h1\ncase $K in\nh1) A=1 ;;&\nx) A=2 ;;\nh*) A=$A-3 ;&\nz) A=$A-4 ;;\n*) A=5 ;;\nesac\ntoy serve $A",
       {"9 toy serve 1-3-4"}},
      {"[ \"$R\" = 0 ] && E=\"--x $R\"\n[ \"$R\" = 0 ] && [ -z \"$E\" ] && F=1\ntoy serve $E",
       {"3 toy serve ${E} ?!([ \"$R\" = 0 ])", "3 toy serve --x 0 ?[ \"$R\" = 0 ]"}},
      {"O=\"--d $D\"\ntest -n \"$O\" || O=--none\ntoy serve $O", {"3 toy serve --d ${D}"}},
  });
}

TEST_CASE("options of the script: with nothing set there are none") {
  check({
      {"T=8\nwhile [[ $# -gt 0 ]]; do case $1 in --t) T=$2; shift 2 ;; *) exit 1 ;; esac; done\ntoy serve $T",
       {"3 toy serve 8 ?!([[ $# -gt 0 ]])", "3 toy serve ${2} ?[[ $# -gt 0 ]] && case $1 in --t)"}},
      {"T=8\nwhile getopts t: o; do case $o in t) T=$OPTARG ;; esac; done\ntoy serve $T",
       {"3 toy serve 8 ?!(getopts t: o)", "3 toy serve ${OPTARG} ?getopts t: o && case $o in t)"}},
      {"f() { while [ $# -gt 0 ]; do A=\"$A $1\"; shift; done; }\nA=-\nf a b\ntoy serve $A", {"4 toy serve - a b"}},
  });
}

TEST_CASE("programs that hand a text to a shell, or more words to a program") {
  check({
      {"tmux new-session -d -s t\ntmux send-keys -t t 'export A=1' Enter\ntmux send-keys -t t 'toy serve a' C-m",
       {"3 toy serve a {A=1}"}},
      {"tmux send-keys -t t 'export A=1' Enter\ntmux send-keys -t u 'toy serve a' C-m", {"2 toy serve a"}},
      {"screen -S t -X stuff \"toy serve a\\n\"", {"1 toy serve a"}},
      {"script -q -c 'toy serve a' log\nrunuser -l u -c 'toy serve b'\nrunuser -u u -- toy serve c",
       {"1 toy serve a", "2 toy serve b", "3 toy serve c"}},
      {"export A=1\ngcloud compute ssh v --command='toy serve a'\nbsub -q q toy serve b",
       {"2 toy serve a", "3 toy serve b {A=1}"}},
      {"env -S 'A=1 toy serve a' b\nenv -u B -S 'toy serve' c", {"1 toy serve a b {A=1}", "2 toy serve c"}},
      {"echo a b | xargs toy serve\nprintf '%s\\n' c d | xargs -I{} toy serve x-{}\nls | xargs toy serve",
       {"1 toy serve a b", "2 toy serve x-c", "2 toy serve x-d", "3 toy serve ${@}"}},
      {"docker-compose run -e A=1 s toy serve a\ndocker compose -f f exec -T s toy serve b",
       {"1 toy serve a {A=1}", "2 toy serve b"}},
      {"kubectl run p --image=i:1 --command -- toy serve a\nkubectl run p --image=i:1 -- toy serve b",
       {"1 toy serve a"}},
      {"python3 -m debugpy --listen 5678 -m toy.launch a\ncoverage run -m toy.launch b\naccelerate launch -m "
       "toy.launch c",
       {"1 toy.launch a", "2 toy.launch b", "3 toy.launch c"}},
      {"start-stop-daemon --start --exec /usr/bin/python3 -- -m toy.launch a\npm2 start 'toy serve b' --name n",
       {"1 toy.launch a", "2 toy serve b"}},
      {"f() { toy serve a; }\nexport -f f\nbash -c f\nssh h f", {"1 toy serve a"}},
      {"tee r.sh <<E\ntoy serve a\nE\nbash ./r.sh\nprintf '%s\\n' 'toy serve b' > ./s.sh\nsh s.sh",
       {"2 toy serve a", "5 toy serve b"}},
      {"source /dev/stdin <<E\ntoy serve a\nE", {"2 toy serve a"}},
  });
}

TEST_CASE("nothing is run") {
  const std::string mark = std::filesystem::temp_directory_path() / ("mark-of-a-script-" + std::to_string(getpid()));
  const std::string script = "touch " + mark + "\n$(touch " + mark + ")\nsh -c 'touch " + mark + "'\necho x > " + mark +
                             "\ntoy serve `touch " + mark + "`\n";
  CHECK(launches(script).size() == 1);
  CHECK_FALSE(std::filesystem::exists(mark));
}

TEST_CASE("scripts that ask for too much end, and say so") {
  std::string nested;
  for (int i = 0; i < 3000; ++i) nested += "\"$(";
  std::string doubling = "a=xxxxxxxx\n";
  for (int i = 0; i < 60; ++i) doubling += "a=$a$a\n";
  std::string many;
  for (int i = 0; i < 20; ++i)
    many += "if [ -f " + std::to_string(i) + " ]; then A=\"$A --x\"; B" + std::to_string(i) + "=1; fi\n";
  for (int i = 0; i < 20; ++i) many += "A=$A$B" + std::to_string(i) + "\n";
  const std::vector<std::string> scripts = {
      nested,
      doubling,
      "f() { f; f; }\nf",
      "for i in {1..999}; do for j in {1..999}; do toy serve $i $j; done; done",
      "a='eval $a'\neval $a",
      "toy serve 'a\n",
      many + "toy serve $A",
      "while read -r i; do toy serve; done <<E\n" + std::string(2'000, '\n') + "E",
      "x='" + std::string(1'000'000, 'x') + "'\nfor i in 1 2 3 4 5 6 7 8 9; do echo $x >> f; done\ntoy serve a",
  };
  for (const std::string& script : scripts) {
    INFO(script.substr(0, 60));
    const ShellTrace trace = follow(script).trace;
    const bool said = !trace.notes.empty() || std::any_of(trace.launches.begin(), trace.launches.end(),
                                                          [](const FoundLaunch& l) { return !l.notes.empty(); });
    CHECK(said);
  }
  const ShellTrace cut = follow(many + "toy serve $A").trace;
  CHECK(cut.launches.size() == 1);
  // Where nothing set means no launch, the nearest one is told.
  const ShellTrace wanting = follow("[ -n \"$M\" ] || exit 1\n" + many + "toy serve $A").trace;
  CHECK(wanting.launches.size() == 1);
  CHECK(wanting.launches.at(0).conditional.has_value());
  CHECK(follow("toy serve a\nif\n").trace.launches.size() == 1);
  // A dozen checks, each of which ends the script with nothing set, and what else it asks on the way.
  std::string checks;
  for (int i = 0; i < 12; ++i) {
    const std::string name = "V" + std::to_string(i);
    checks += "[[ -z \"${" + name + ":-}\" ]] && exit 1\nif [ -f " + name + " ]; then W=" + name + "; fi\n";
  }
  const ShellTrace wants = follow(checks + "toy serve $V3 $W").trace;
  REQUIRE_FALSE(wants.launches.empty());
  CHECK(shown(wants.launches.at(0)).find("25 toy serve ${V3}") == 0);
  CHECK_FALSE(wants.launches.at(0).by_default);
}

}  // namespace
}  // namespace gonogo
