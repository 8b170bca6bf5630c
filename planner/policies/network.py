"""Networks as policies: a multilayer perceptron with sparse inputs, and any torch module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from fsplan.planner._core import ArrayPolicy
from fsplan.planner.policies.container import PolicyFileError, Tensor
from fsplan.planner.policies.encoders import Encoder
from fsplan.planner.policies.files import StoredPolicy


class Mlp(nn.Module):
    """A multilayer perceptron with ReLU, whose input is the list of the numbers of the inputs that are 1.

    The first layer adds the weight rows of these inputs. The result is that of a dense layer, but it is much faster.
    """

    def __init__(self, sizes: Sequence[int], active: int = 0) -> None:
        """`sizes` lists the layer sizes, as in [256, 160, 80, 16, 4].

        `active` is the typical number of inputs that are 1; it scales the initial weights of the first layer.
        """
        super().__init__()
        self.sizes = list(sizes)
        self.rows = nn.EmbeddingBag(sizes[0] + 1, sizes[1], mode="sum", padding_idx=sizes[0])
        nn.init.normal_(self.rows.weight, std=(2.0 / max(active or sizes[0], 1)) ** 0.5)
        with torch.no_grad():
            self.rows.weight[sizes[0]] = 0
        self.bias = nn.Parameter(torch.zeros(sizes[1]))
        self.dense = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes[1:]))

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        x: torch.Tensor = self.rows(inputs) + self.bias
        for layer in self.dense:
            x = layer(torch.relu(x))
        return x

    def layers(self) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """The weight and the bias of each layer, in the layout of nn.Linear."""
        first = (self.rows.weight[: self.sizes[0]].T, self.bias)
        return [first, *((layer.weight, layer.bias) for layer in self.dense if isinstance(layer, nn.Linear))]


def store_module(
    module: nn.Module, encoder: Encoder, actions: Sequence[str], name: str = "", **rest: Any
) -> StoredPolicy:
    """The content of a policy file for a network; `rest` are its sections task, accuracy and training.

    Mlp and nn.Sequential of alternating Linear and ReLU are stored in a form that the native core can evaluate. For
    other modules, the weights are stored with the `name` of their class (module:class).
    """
    layers = module.layers() if isinstance(module, Mlp) else _sequential_layers(module)
    if layers is None:
        architecture: dict[str, Any] = {"kind": "module", "name": name or _qualified_name(module)}
        tensors = {key: _tensor(value) for key, value in module.state_dict().items()}
    else:
        architecture = {"kind": "mlp", "layers": [layers[0][0].shape[1], *(weight.shape[0] for weight, _ in layers)]}
        tensors = {}
        for number, (weight, bias) in enumerate(layers):
            tensors |= {f"layers.{number}.weight": _tensor(weight), f"layers.{number}.bias": _tensor(bias)}
    return StoredPolicy(architecture, encoder.to_json(), actions, tensors, **rest)


def load_module(stored: StoredPolicy, module: nn.Module | None = None) -> nn.Module:
    """The stored network as a torch module; unless it is a multilayer perceptron, its weights are put into `module`."""
    if not stored.is_native:
        if module is None:
            raise PolicyFileError(f"the network is {stored.architecture['name']}: build it and pass it as module")
        load_state(module, stored.tensors)
        return module.eval()
    mlp = Mlp(stored.architecture["layers"])
    with torch.no_grad():
        for (weight, bias), (stored_weight, stored_bias) in zip(mlp.layers(), stored.layers, strict=True):
            weight.copy_(torch.from_numpy(to_numpy(stored_weight)))
            bias.copy_(torch.from_numpy(to_numpy(stored_bias)))
    return mlp.eval()


def load_state(module: nn.Module, tensors: dict[str, Tensor]) -> None:
    own = module.state_dict()
    if set(own) != set(tensors) or any(tuple(own[name].shape) != tensors[name].shape for name in own):
        raise PolicyFileError("the stored weights are not those of this network")
    module.load_state_dict({name: torch.from_numpy(to_numpy(tensor)) for name, tensor in tensors.items()})


_DTYPES: dict[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
    "I64": np.dtype("<i8"),
    "U8": np.dtype("u1"),
}


def to_numpy(tensor: Tensor) -> npt.NDArray[Any]:
    flat = np.frombuffer(tensor.data, dtype=_DTYPES[tensor.dtype]).copy()
    return np.asarray(flat.reshape(tensor.shape))


def _tensor(tensor: torch.Tensor) -> Tensor:
    array = tensor.detach().cpu().contiguous().numpy()
    for name, dtype in _DTYPES.items():
        if array.dtype == dtype:
            return Tensor(name, tuple(array.shape), array.tobytes())
    raise PolicyFileError(f"cannot store numbers of type {array.dtype}")


def to_tensor(array: npt.NDArray[Any] | torch.Tensor) -> Tensor:
    return _tensor(torch.as_tensor(array))


def _sequential_layers(module: nn.Module) -> list[tuple[torch.Tensor, torch.Tensor]] | None:
    """The layers of Sequential(Linear, ReLU, Linear, …, Linear); None for any other module."""
    parts = list(module) if isinstance(module, nn.Sequential) else [module]
    linear, between = parts[::2], parts[1::2]
    if len(parts) % 2 == 0 or not all(isinstance(part, nn.ReLU) for part in between):
        return None
    layers: list[tuple[torch.Tensor, torch.Tensor]] = []
    for part in linear:
        if not isinstance(part, nn.Linear):
            return None
        layers.append((part.weight, part.bias if part.bias is not None else torch.zeros(part.out_features)))
    return layers


def _qualified_name(module: nn.Module) -> str:
    return f"{type(module).__module__}:{type(module).__qualname__}"


class TorchPolicy(ArrayPolicy):
    """A policy that evaluates a torch module, which maps encoded states to a logit for each action of the task.

    `encoder` is an Encoder or a function from integers [states, width] to the input of the module. The search evaluates
    up to `batch` states in one call of the module.
    """

    def __init__(
        self,
        module: nn.Module,
        encoder: Encoder | Callable[[npt.NDArray[np.int32]], Any],
        actions: Sequence[str],
        *,
        accuracy: float | None = None,
        masked: bool = True,
        batch: int = 64,
    ) -> None:
        super().__init__(batch)
        self.module, self.encoder, self.actions = module.eval(), encoder, actions
        self.accuracy, self.masked = accuracy, masked
        self._encode = encoder.sparse if isinstance(encoder, Encoder) and isinstance(module, Mlp) else encoder

    def logits(self, states: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        """The output of the module, [states, actions]."""
        with torch.no_grad():
            encoded = self._encode(states)
            output = self.module(torch.from_numpy(encoded) if isinstance(encoded, np.ndarray) else encoded)
        expected = (len(states), len(self.actions))
        if tuple(output.shape) != expected:
            raise ValueError(f"the network gave {tuple(output.shape)} numbers, expected {expected}")
        return np.asarray(output.numpy(), dtype=np.float32)

    def score_arrays(
        self, states: npt.NDArray[np.int32], edges_begin: npt.NDArray[np.uint32], actions: npt.NDArray[np.uint32]
    ) -> npt.NDArray[np.float32]:
        """log π of every edge; the edges of state i are edges_begin[i] : edges_begin[i + 1]."""
        logits = self.logits(states)
        row = np.repeat(np.arange(len(states)), np.diff(edges_begin))
        if self.masked:
            return log_softmax(logits[row, actions], edges_begin)
        every = np.arange(0, logits.size + 1, logits.shape[1])
        return log_softmax(logits.ravel(), every).reshape(logits.shape)[row, actions]


def log_softmax(scores: npt.NDArray[np.float32], begin: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The log softmax of each row of scores; row i is begin[i] : begin[i + 1].

    >>> np.exp(log_softmax(np.array([0, 0, 5], np.float32), np.array([0, 2, 2, 3]))).tolist()
    [0.5, 0.5, 1.0]
    """
    counts = np.diff(begin)
    first = begin[:-1][counts > 0].astype(np.int64)
    if not len(first):
        return scores
    counts = counts[counts > 0]
    shifted = scores - np.repeat(np.maximum.reduceat(scores, first), counts)
    return np.asarray(shifted - np.repeat(np.log(np.add.reduceat(np.exp(shifted), first)), counts), dtype=np.float32)
