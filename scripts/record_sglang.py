#!/usr/bin/env python3
"""Ask a real SGLang, without a GPU, what it makes of launches.

    DIR/venv/bin/python scripts/record_sglang.py [--sglang 0.5.22] [--models MODELS] [--build] < cases > answers

DIR is what scripts/oracle_setup.sh made. A case is a line of JSON:

    {"id": "x", "model": "ORG__NAME" | "config": {...}, "files": {"hf_quant_config.json": {...}}?,
     "argv": ["--model-path", "$MODEL", ...], "env": {...}?, "gpu": "h200"?, "gpus": 8?}

MODELS holds the folders that "model" names; $MODEL stands for a copy of it. The answer is the case with:

    ok, error {type, message, check, path}   how parsing and resolution ended. check is FILE.FUNCTION of the innermost
                          SGLang frame, path the last three of them; what argparse refuses has the check "argparse"
    set                   fields whose value after resolution differs from what was typed or defaulted
    declared              [[pass, {field: value}], ...], in order
    env_set               environment variables that resolution changed (null: removed)
    checked {ok, error}   the launch check that follows resolution (check_server_args)
    warnings              what was logged
    build                 with --build, for accepted cases: see scripts/sglang_build.py

SGLang's own parser and pipeline run; what it asks of a GPU is answered from rules/sglang/gpus.yaml: torch.cuda's
questions and a stand-in for nvidia-smi. For an AMD GPU see pretended_rocm.py; --build is for NVIDIA GPUs only. Nothing is downloaded, and a checkpoint's own code ("auto_map") is not used.
SGLang keeps what it learnt about the GPU while it was loaded, so there is one process for each GPU that cases name, one
after another (--gpu KEY: this process is the one for KEY). Loading takes about a minute; every case then runs in a fork
of its own, so that none sees another's environment or caches. What SGLang reads from the environment only while it is
loaded (SGLANG_ENABLE_JIT_DEEPGEMM) a case can't change. Answers come GPU by GPU, in the order of their cases.
"""

import argparse
import contextlib
import io
import json
import logging
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import types

import pretended_rocm

SCRIPTS = os.path.dirname(os.path.abspath(__file__))
RULES = os.path.join(os.path.dirname(SCRIPTS), "rules", "sglang")
DIR = os.path.dirname(sys.prefix)
VOLATILE = ("random_seed", "nccl_port")  # drawn anew at every launch
OURS = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "CUDA_VISIBLE_DEVICES")
CASE_SECONDS = 90
FOLDER = "$MODEL"


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--gpu", help="answer in this process, for this key of rules/sglang/gpus.yaml")
    p.add_argument("--default-gpu", default="b200", help="for cases that name none (%(default)s)")
    p.add_argument("--sglang", help="a release under DIR/alt; without it the one that is installed")
    p.add_argument("--models", default=os.path.join(os.path.dirname(SCRIPTS), "testdata", "models"))
    p.add_argument("--build", action="store_true", help="also build the model of an accepted launch")
    return p.parse_args()


def with_driver_stub():
    """Start again with the stub of libcuda on the loader's path: SGLang's kernels are linked against it."""
    stubs = os.path.join(DIR, "stubs")
    paths = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    if os.path.isdir(stubs) and stubs not in paths:
        os.environ["LD_LIBRARY_PATH"] = ":".join([stubs] + [p for p in paths if p])
        os.execv(sys.executable, [sys.executable] + sys.argv)


class PretendedGpus:
    """Answers what torch.cuda and nvidia-smi are asked, from profiles."""

    def __init__(self, profiles):
        self.profiles = profiles
        self.bin = tempfile.mkdtemp(prefix="pretended-")
        os.environ["PATH"] = self.bin + ":" + os.environ["PATH"]

    def use(self, key, count):
        g = self.profiles.get(key)
        if g is None:
            raise KeyError("no profile %r in gpus.yaml" % key)
        amd = g["vendor"] == "amd"
        arch = pretended_rocm.ARCH[key] if amd else ""
        if amd:
            pretended_rocm.pretend()
        total, cc = g["memory_mib"] << 20, pretended_rocm.CAPABILITY[arch] if amd else (g["major"], g["minor"])
        facts = types.SimpleNamespace(
            name=g["name"], major=cc[0], minor=cc[1], total_memory=total, multi_processor_count=g["sm_count"],
            gcnArchName=arch, is_integrated=False, L2_cache_size=50 << 20)
        answers = {
            "is_available": True, "is_initialized": False, "device_count": count, "current_device": 0, "set_device": None,
            "get_device_capability": cc, "get_device_name": g["name"], "get_device_properties": facts,
            "mem_get_info": (total, total),
        }
        import torch

        for name, answer in answers.items():
            setattr(torch.cuda, name, lambda *a, _answer=answer, **k: _answer)
        if amd:
            return self._write("rocminfo", "cat <<'END'\n%s\nEND\n" % pretended_rocm.rocminfo(arch, g["memory_mib"], count))
        self._write_smi({"memory.total": [str(g["memory_mib"])] * count, "compute_cap": ["%d.%d" % cc]})

    def _write_smi(self, columns):
        script = 'case "$*" in\n'
        for column, rows in columns.items():
            script += "*%s*) printf '%%s\\n' %s;;\n" % (column, " ".join(rows))
        self._write("nvidia-smi", script + "*) exit 1;;\nesac\n")

    def _write(self, name, script):
        path = os.path.join(self.bin, name)
        with open(path + ".new", "w") as f:
            f.write("#!/bin/sh\n" + script)
        os.chmod(path + ".new", 0o755)
        os.replace(path + ".new", path)

    def remove(self):
        shutil.rmtree(self.bin, ignore_errors=True)


class ModelFolder:
    """A throw-away folder with a case's model files, as the launch would find them."""

    def __init__(self, case, models):
        self.path = tempfile.mkdtemp(prefix="model-")
        if "model" in case:
            shutil.copytree(os.path.join(models, case["model"]), self.path, dirs_exist_ok=True)
        files = dict(case.get("files") or {})
        if "config" in case:
            files.setdefault("config.json", case["config"])
        for name, content in files.items():
            self._write(name, content)
        config = os.path.join(self.path, "config.json")
        if os.path.exists(config):
            with open(config) as f:
                content = json.load(f)
            if isinstance(content, dict) and content.pop("auto_map", None) is not None:
                self._write("config.json", content)

    def _write(self, name, content):
        with open(os.path.join(self.path, name), "w") as f:
            json.dump(content, f)

    def scrub(self, answer):
        return json.loads(json.dumps(answer).replace(self.path, FOLDER))

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Runtime:
    """The SGLang that is being asked."""

    def __init__(self):
        import sglang
        from sglang.srt import server_args
        from sglang.srt.arg_groups.overrides import resolving_view

        self.home = os.path.dirname(os.path.abspath(sglang.__file__)) + os.sep
        self.version = sglang.__version__
        self.prepare = server_args.prepare_server_args
        self.view = resolving_view
        try:
            from sglang.srt.arg_groups.arg_utils import record_fields as fields
        except ImportError:  # releases whose record is a dataclass
            from dataclasses import fields
        self.fields = [f.name for f in fields(server_args.ServerArgs) if f.name not in VOLATILE]
        self._mimo_config()

    @staticmethod
    def _mimo_config():
        # These checkpoints bring their own config class, with one flat rope; the class of that name in transformers
        # nests it, which the model's code does not expect.
        from transformers import AutoConfig, PretrainedConfig

        for name in ("mimo_v2_flash", "mimo_v2"):
            AutoConfig.register(name, type("MiMoConfig", (PretrainedConfig,), {"model_type": name}), exist_ok=True)

    def frames(self, error):
        """FILE.FUNCTION of the SGLang frames that an error passed, the outermost first."""
        trace = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(self.home)]
        return [(f.filename, os.path.basename(f.filename).removesuffix(".py") + "." + f.name) for f in trace]

    def refusal(self, error):
        frames = self.frames(error)
        names = [name for _, name in frames]
        passes = [name for file, name in frames if "arg_groups" in file]
        return {"type": type(error).__name__, "message": str(error)[:1200], "check": (names or ["?"])[-1],
                "path": (passes or names)[-3:]}

    def resolve(self, argv):
        args = self.prepare(argv)
        if hasattr(args, "resolve_once"):
            args.resolve_once()
        return args

    def changes(self, args):
        typed = getattr(args, "_raw_input", None)
        view, out = self.view(args), {}
        for name in self.fields:
            before = plain(typed.get(name) if typed else getattr(args, name))
            after = plain(getattr(view, name))
            if before != after:
                out[name] = after
        return out

    def declared(self, args):
        return [[entry[0], {k: plain(v) for k, v in entry[1].items() if k not in VOLATILE}]
                for entry in args._resolved_overrides]


def plain(value):
    """A value as JSON can hold it."""
    import msgspec

    with contextlib.suppress(Exception):
        value = msgspec.to_builtins(value)
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return str(value)
    return value


class Listener:
    """Catches what is logged and printed while it is entered."""

    def __enter__(self):
        self.log, self.printed = io.StringIO(), io.StringIO()
        self.handler = logging.StreamHandler(self.log)
        self.handler.setLevel(logging.WARNING)
        logging.getLogger().addHandler(self.handler)
        self.basic_config, logging.basicConfig = logging.basicConfig, lambda **k: None
        self.stack = contextlib.ExitStack()
        self.stack.enter_context(contextlib.redirect_stdout(self.printed))
        self.stack.enter_context(contextlib.redirect_stderr(self.printed))
        return self

    def __exit__(self, *exc):
        self.stack.close()
        logging.basicConfig = self.basic_config
        logging.getLogger().removeHandler(self.handler)
        return False

    def usage(self):
        lines = [line for line in self.printed.getvalue().splitlines() if "error: " in line]
        return lines[-1].split("error: ", 1)[1] if lines else ""


class Recorder:
    def __init__(self, o, gpus):
        self.o, self.gpus = o, gpus
        gpus.use(o.gpu, 8)
        self.runtime = Runtime()

    def answer(self, case, build):
        if case.get("gpu", self.o.gpu) != self.o.gpu:
            raise ValueError("this process was loaded for %s" % self.o.gpu)
        self.gpus.use(self.o.gpu, case.get("gpus", 8))
        os.environ.update(case.get("env") or {})
        before = dict(os.environ)
        folder = ModelFolder(case, self.o.models)
        try:
            out, args = self._resolved([word.replace(FOLDER, folder.path) for word in case["argv"]])
            now = dict(os.environ)
            out["env_set"] = {k: now.get(k) for k in sorted(now.keys() | before.keys())
                              if now.get(k) != before.get(k) and k not in OURS}
            if build and args is not None:
                import sglang_build

                out["build"] = sglang_build.construct(args, self.runtime.frames)
            return folder.scrub(out)
        finally:
            folder.remove()

    def _resolved(self, argv):
        out, args = {}, None
        with Listener() as heard:
            try:
                args = self.runtime.resolve(argv)
                out["checked"] = self._checked(args)
                out.update(ok=True, set=self.runtime.changes(args), declared=self.runtime.declared(args))
            except SystemExit:
                out.update(ok=False, error={"type": "usage", "message": heard.usage(), "check": "argparse"})
            except BaseException as error:
                out.update(ok=False, error=self.runtime.refusal(error))
            if not out["ok"]:
                out.pop("checked", None)
        out["warnings"] = heard.log.getvalue().splitlines()[:30]
        return out, args if out["ok"] else None

    def _checked(self, args):
        try:
            args.check_server_args()
        except BaseException as error:
            return {"ok": False, "error": self.runtime.refusal(error)}
        return {"ok": True}

    def in_a_fork(self, case):
        """The answer from a child, which is ended where it takes too long."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            try:
                text = json.dumps(self.answer(case, self.o.build))
            except BaseException as error:
                text = json.dumps({"ok": None, "crash": repr(error)[:500]})
            with os.fdopen(write, "w") as f:
                f.write(text)
            os._exit(0)
        os.close(write)
        text, deadline = b"", time.monotonic() + CASE_SECONDS
        while select.select([read], [], [], max(0, deadline - time.monotonic()))[0]:
            piece = os.read(read, 1 << 16)
            if not piece:
                break
            text += piece
        else:
            os.kill(child, signal.SIGKILL)
            text = b""
        os.close(read)
        os.waitpid(child, 0)
        return json.loads(text) if text else {"ok": None, "crash": "took longer than %d s, or died" % CASE_SECONDS}

    def warm_up(self):
        """One resolution in this process loads what SGLang imports late, so that no fork has to."""
        saved = dict(os.environ)
        config = {
            "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "head_dim": 128, "hidden_size": 2048,
            "intermediate_size": 6144, "moe_intermediate_size": 768, "num_attention_heads": 32, "num_key_value_heads": 4,
            "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48, "vocab_size": 151936,
            "max_position_embeddings": 40960, "torch_dtype": "bfloat16", "hidden_act": "silu",
            "quantization_config": {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [128, 128]},
        }
        got = self.answer({"argv": ["--model-path", FOLDER, "--tp-size", "8"], "config": config}, False)
        for name in set(os.environ) - set(saved):
            del os.environ[name]
        os.environ.update(saved)
        if not got["ok"]:
            sys.exit("the warm-up was refused, so answers would mean nothing: %s" % got["error"])


def by_gpu(o):
    """A process for each GPU; the exit status of the first that failed."""
    lines = {}
    for line in sys.stdin:
        if line.strip():
            case = json.loads(line)
            lines.setdefault(case.setdefault("gpu", o.default_gpu), []).append(json.dumps(case))
    for gpu, cases in lines.items():
        sys.stderr.write("record_sglang: %d cases on %s\n" % (len(cases), gpu))
        done = subprocess.run([sys.executable] + sys.argv + ["--gpu", gpu], input="\n".join(cases) + "\n", text=True)
        if done.returncode != 0:
            return done.returncode
    return 0


def main():
    o = options()
    if o.gpu is None:
        sys.exit(by_gpu(o))
    with_driver_stub()
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", CUDA_VISIBLE_DEVICES="")
    if o.sglang:
        home = os.path.join(DIR, "alt", o.sglang)
        if os.path.isdir(home):
            sys.path.insert(0, home)
    import yaml

    with open(os.path.join(RULES, "gpus.yaml")) as f:
        gpus = PretendedGpus(yaml.safe_load(f)["gpus"])
    try:
        started = time.monotonic()
        recorder = Recorder(o, gpus)
        version = recorder.runtime.version
        if o.sglang and version != o.sglang:
            sys.exit("this is SGLang %s, not %s" % (version, o.sglang))
        if o.build:
            import sglang_build

            sglang_build.prepare()
        recorder.warm_up()
        sys.stderr.write("record_sglang: SGLang %s is ready after %.0f s\n" % (version, time.monotonic() - started))
        for line in sys.stdin:
            if line.strip():
                case = json.loads(line)
                print(json.dumps({**case, "sglang": version, **recorder.in_a_fork(case)}), flush=True)
    finally:
        gpus.remove()


if __name__ == "__main__":
    main()
