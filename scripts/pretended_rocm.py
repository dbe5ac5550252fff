"""For record_sglang.py: makes a CUDA build of PyTorch answer as one for ROCm on an AMD GPU.

Resolution asks little of the device: which build PyTorch is, what torch.cuda tells (the caller answers that), how much
memory rocminfo lists, and whether some packages can be imported. So this holds for parsing and resolution. It does not
for building a model: the layers of ROCm call kernels that are not here. What a ROCm image brings and this machine does
not (aiter, mori) is replaced by modules whose every attribute is a thing that does nothing; what it lacks is hidden.
The Triton that is installed here counts: with SGLANG_USE_AITER=1, DeepSeek's sparse attention asks for its version.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import types

BROUGHT = ("aiter", "amdsmi", "mori")
LACKING = ("flashinfer", "deep_gemm", "deep_ep", "pynvml", "flash_attn_interface")
HIP_VERSION = "7.0.51831"
# Instruction sets by profile, and what PyTorch reports as their compute capability.
ARCH = {"mi300x": "gfx942", "mi325x": "gfx942", "mi355x": "gfx950"}
CAPABILITY = {"gfx942": (9, 4), "gfx950": (9, 5)}


class Nothing:
    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()

    def __call__(self, *args, **kwargs):
        return Nothing()

    def __iter__(self):
        return iter(())


class Module(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        package = name.split(".")[0]
        if package in LACKING:
            raise ModuleNotFoundError("No module named %r" % name, name=name)
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if package in BROUGHT else None

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        pass


def pretend():
    """Before SGLang is imported; again is nothing."""
    import sys

    import torch

    if torch.version.hip is not None:
        return
    torch.version.hip, torch.version.cuda = HIP_VERSION, None
    sys.meta_path.insert(0, Finder())
    found = importlib.util.find_spec
    importlib.util.find_spec = lambda name, package=None: None if name.split(".")[0] in LACKING else found(name, package)


def rocminfo(arch, memory_mib, count):
    """What rocminfo prints of `count` GPUs, as far as it is read."""
    gpu = ["  Name:                    %s" % arch, "    Pool 1", "      Segment:                 GLOBAL; FLAGS: COARSE GRAINED",
           "      Size:                    %d(0x%x) KB" % (memory_mib << 10, memory_mib << 10)]
    return "\n".join(gpu * count)
