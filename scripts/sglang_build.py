"""Build the model that a resolved launch would build, with neither GPU nor memory. Used by record_sglang.py --build.

SGLang's own model class is constructed on torch's meta device, as rank 0 of a fake process group of the launch's real
size: so what SGLang finds out only at model init is found here. The answer is one of

    {"built": true, "class", "weight_bytes" (rank 0's parameters), "layers": [[class, quantisation method, runner], ...],
     "dispatchers": [class, ...]}
    {"built": false, "error": {"type", "message", "check", "path"}, "harness": true?}

"harness" marks an end in this pretending itself (no device, no storage behind a meta tensor, a package that is not
installed): it says nothing about SGLang.
"""

import contextlib
import inspect
import os

import torch
import torch.distributed as dist
from torch.overrides import TorchFunctionMode

# Texts of errors that come from the pretending.
OF_THE_HARNESS = (
    "stub library", "meta tensor", "cuBLASLt", "CUDA driver", "No CUDA GPUs", "Nothing",
    "not a registered model in the Transformers", "unsupported operand type(s) for +: 'NoneType'",
)


class Nothing:
    """Stands for a stream, an event or a kernel: takes every call and does nothing."""

    cuda_stream = stream_id = device_index = device_type = 0
    device = torch.device("cpu")

    def __init__(self, *a, **k):
        pass

    def __getattr__(self, name):
        return lambda *a, **k: None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


class OnMeta(TorchFunctionMode):
    """Sends every tensor that is asked for on a GPU to the meta device."""

    @staticmethod
    def _moved(value):
        return torch.device("meta") if isinstance(value, (str, torch.device)) and "cuda" in str(value) else value

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if func is torch.Tensor.cuda:
            return args[0]
        if "device" in kwargs:
            kwargs["device"] = self._moved(kwargs["device"])
        if func is torch.Tensor.to:
            args = tuple(self._moved(a) for a in args)
        return func(*args, **kwargs)


def _silence_streams():
    cuda = torch.cuda
    for name in ("Stream", "Event", "ExternalStream"):
        setattr(cuda, name, Nothing)
    for name in ("current_stream", "default_stream", "stream"):
        setattr(cuda, name, lambda *a, **k: Nothing())
    for name in ("set_stream", "synchronize", "empty_cache", "init", "_lazy_init"):
        setattr(cuda, name, lambda *a, **k: None)
    cuda.memory_allocated = lambda *a, **k: 0


def _fake_groups():
    """Process groups of any size, without peers."""
    from torch.testing._internal.distributed import fake_pg  # noqa: F401  registers the backend "fake"
    from sglang.srt.distributed import parallel_state

    new_group = dist.new_group
    dist.new_group = torch.distributed.new_group = lambda ranks=None, *a, **k: new_group(ranks, backend="fake")
    parallel_state._group_coordinator_device = lambda local_rank: torch.device("cpu")
    real = parallel_state.GroupCoordinator.__init__
    signature = inspect.signature(real)
    communicators = [name for name in signature.parameters if name.startswith("use_")]

    def init(self, *a, **k):
        bound = signature.bind(self, *a, **k)
        bound.arguments.update({name: False for name in communicators}, torch_distributed_backend="fake")
        real(*bound.args, **bound.kwargs)

    parallel_state.GroupCoordinator.__init__ = init


def _no_kernels():
    """Kernels that would be compiled or asked of a device while a layer is built."""
    with contextlib.suppress(Exception):
        import flashinfer.jit.core as jit

        jit.JitSpec.build_and_load = lambda self, *a, **k: Nothing()
        jit.JitSpec.build = lambda self, *a, **k: None
    with contextlib.suppress(Exception):
        import deep_gemm

        deep_gemm.get_num_sms = lambda: torch.cuda.get_device_properties(0).multi_processor_count


def prepare():
    """Replace what needs a device or peers, and import every model class; once, before any case."""
    _silence_streams()
    _fake_groups()
    _no_kernels()
    # Earlier releases import a name that a newer transformers no longer has; nothing of it is used.
    from transformers.models.qwen2_5_vl import modeling_qwen2_5_vl as vl

    if not hasattr(vl, "Qwen2_5_VisionRotaryEmbedding"):
        vl.Qwen2_5_VisionRotaryEmbedding = type("Qwen2_5_VisionRotaryEmbedding", (torch.nn.Module,), {})
    import sglang.srt.layers.quantization  # noqa: F401
    import sglang.srt.model_loader.loader  # noqa: F401
    import sglang.srt.models.registry  # noqa: F401


def _join_world(args):
    """Rank 0 of the launch's world, in the order in which a scheduler process sets itself up."""
    from sglang.srt.arg_groups.overrides import model_config_of, resolving_view
    from sglang.srt.distributed import parallel_state
    from sglang.srt.distributed.bootstrap import init_layer_runtime
    from sglang.srt.layers.dp_attention import initialize_dp_attention
    from sglang.srt.layers.moe.utils import initialize_moe_config
    from sglang.srt.layers.quantization.fp4_utils import initialize_fp4_gemm_config
    from sglang.srt.layers.quantization.fp8_utils import initialize_fp8_gemm_config
    from sglang.srt.runtime_context import SpawnRanks, publish, spawn_world_rank
    from torch.testing._internal.distributed.fake_pg import FakeStore

    view = resolving_view(args)
    rank = spawn_world_rank(args, tp_rank=0, pp_rank=0)
    publish(args, role="scheduler", ranks=SpawnRanks(world_rank=rank, dp_rank=None, gpu_id=0))
    for initialize in (initialize_moe_config, initialize_fp8_gemm_config, initialize_fp4_gemm_config):
        initialize()
    size = view.tp_size * view.pp_size
    dist.init_process_group(backend="fake", rank=0, world_size=size, store=FakeStore())
    parallel_state.init_distributed_environment(
        backend="fake", world_size=size, rank=0, local_rank=0, distributed_init_method="env://")
    parallel_state.initialize_model_parallel(backend="fake")
    initialize_dp_attention(server_args=args)
    config = model_config_of(args)
    init_layer_runtime(model_config=config)
    return config


def _model(config):
    from sglang.srt.configs.load_config import LoadConfig
    from sglang.srt.model_loader.loader import _get_quantization_config, _initialize_model
    from sglang.srt.model_loader.utils import set_default_torch_dtype

    load = LoadConfig(load_format="dummy")
    quantization = _get_quantization_config(config, load)
    with set_default_torch_dtype(config.dtype), torch.device("meta"):
        return _initialize_model(config, load, quantization)


def _described(model):
    layers, dispatchers = [], []
    for module in model.modules():
        method = getattr(module, "quant_method", None)
        if method is not None:
            runner = getattr(method, "runner", None) or getattr(module, "runner", None)
            backend = getattr(getattr(runner, "runner_backend", None), "value", None)
            row = [type(module).__name__, type(method).__name__, backend]
            if row not in layers:
                layers.append(row)
        dispatcher = getattr(module, "dispatcher", None)
        if dispatcher is not None and type(dispatcher).__name__ not in dispatchers:
            dispatchers.append(type(dispatcher).__name__)
    return {"built": True, "class": type(model).__name__, "layers": layers, "dispatchers": dispatchers,
            "weight_bytes": sum(p.numel() * p.element_size() for p in model.parameters())}


def construct(args, frames):
    """The answer for resolved arguments. `frames` names the SGLang frames of an error."""
    os.environ.setdefault("SGLANG_DISABLE_CUDNN_CHECK", "1")
    try:
        with OnMeta():
            return _described(_model(_join_world(args)))
    except BaseException as error:
        names, text = [name for _, name in frames(error)], str(error)[:1200]
        out = {"built": False, "error": {"type": type(error).__name__, "message": text, "check": (names or ["?"])[-1],
                                         "path": names[-4:]}}
        if isinstance(error, (ImportError, AttributeError, TypeError)) or any(t in text for t in OF_THE_HARNESS):
            out["harness"] = True
        return out
