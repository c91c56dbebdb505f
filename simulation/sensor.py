"""What becomes of light on its way from the lens to the file: blur, noise, colour, sharpening, JPEG."""

from functools import lru_cache
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.canvas import Array, threefold
from simulation.virtual_scene import Sensor

Picture: TypeAlias = NDArray[np.uint8]
"""Blue, green and red, as OpenCV has it."""

_CURVE_STEPS = 4096
_BRIGHTEST = 1.6


def expose(light: Array, sensor: Sensor, rng: np.random.Generator) -> Picture:
    """The picture (rows × columns × 3, blue first) that the camera makes of linear light."""
    raw = through_lens(light, sensor)
    raw = add_noise(raw, sensor, rng)
    return finish(develop(curve_steps(raw), sensor), sensor)


def through_lens(light: Array, sensor: Sensor) -> Array:
    """Exposure, white balance, vignetting, haze, fringes and blur."""
    gains = np.asarray(sensor.white_balance, dtype=np.float32) * np.float32(sensor.exposure)
    if sensor.metering:
        gains *= np.float32(_metered(light[::8, ::8] @ gains, sensor.metering))
    raw = _times(light, gains)
    np.minimum(raw, np.float32(6.0), out=raw)
    if sensor.vignette:
        raw *= threefold(vignette(raw.shape[:2], sensor.vignette))
    if sensor.haze:
        raw += np.float32(sensor.haze) * (raw.mean(axis=(0, 1)) - raw)
    if sensor.fringe:
        raw = _fringes(raw, sensor.fringe)
    if sensor.blur_px > 0.15:
        raw = cv2.GaussianBlur(raw, (0, 0), sensor.blur_px)
    if np.hypot(*sensor.motion_px) > 0.5:
        raw = cv2.filter2D(raw, -1, _smear(*sensor.motion_px))
    return np.asarray(raw)


def _times(light: Array, gains: Array) -> Array:
    """Light with each colour multiplied by its gain, a whole line at a time."""
    rows, columns = light.shape[:2]
    return np.asarray((light.reshape(rows, -1) * np.tile(gains, columns)).reshape(light.shape))


def _metered(brightness: Array, share: float) -> float:
    """What the camera multiplies its exposure by to bring the brightest parts just under white."""
    bright = max(float(np.percentile(brightness, 98.5)) / 3, 1e-3)
    return float(np.clip(0.62 / bright, 0.4, 2.2) ** share)


def vignette(shape: tuple[int, ...], strength: float) -> Array:
    """How much of the light each pixel keeps."""
    rows, cols = shape[:2]
    y = np.linspace(-1, 1, rows, dtype=np.float32)[:, None] * (rows / cols)
    x = np.linspace(-1, 1, cols, dtype=np.float32)[None, :]
    r2 = (x * x + y * y) / (1 + (rows / cols) ** 2)
    return np.asarray(1 - strength * r2 * (0.6 + 0.4 * r2))


def _fringes(raw: Array, thousandths: float) -> Array:
    rows, cols = raw.shape[:2]
    for channel, sign in ((0, 1.0), (2, -1.0)):
        s = 1 + sign * thousandths / 1000
        warp = np.array([[s, 0, (1 - s) * cols / 2], [0, s, (1 - s) * rows / 2]])
        plane = np.ascontiguousarray(raw[:, :, channel])
        raw[:, :, channel] = cv2.warpAffine(plane, warp, (cols, rows), borderMode=cv2.BORDER_REPLICATE)
    return raw


def _smear(dx: float, dy: float) -> Array:
    reach = int(np.ceil(max(abs(dx), abs(dy)) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    for t in np.linspace(-0.5, 0.5, 4 * reach + 1):
        kernel[round(reach + t * dy), round(reach + t * dx)] += 1
    return np.asarray(kernel / kernel.sum())


def noise(shape: tuple[int, ...], sensor: Sensor, rng: np.random.Generator) -> Array:
    """Noise of deviation 1 with the grain that demosaicing leaves."""
    # OpenCV's generator is three times as fast as numpy's and as deterministic.
    seed = int(rng.integers(1 << 31))
    cv2.setRNGSeed(seed)
    grain = np.empty(shape, dtype=np.float32)
    cv2.randn(grain, np.zeros(1), np.ones(1))
    if sensor.noise_grain_px > 0.2:
        sigma = sensor.noise_grain_px
        grain = cv2.GaussianBlur(grain, (0, 0), sigma) * np.float32(1 / _left_after_blur(sigma))
    return np.asarray(grain)


def _left_after_blur(sigma: float) -> float:
    """The deviation that is left of white noise after a Gaussian blur of this width."""
    k = cv2.getGaussianKernel(2 * round(sigma * 4) + 1, sigma).ravel()
    return float((k * k).sum())


def add_noise(raw: Array, sensor: Sensor, rng: np.random.Generator) -> Array:
    """Shot and read noise."""
    if sensor.shot_noise <= 0 and sensor.read_noise <= 0:
        return raw
    return np.asarray(raw + noise(raw.shape, sensor, rng) * _spread(raw, sensor))


def _spread(raw: Array, sensor: Sensor) -> Array:
    """How far shot and read noise go, in linear light."""
    variance = np.maximum(raw, 0) * np.float32(sensor.shot_noise**2)
    variance += np.float32(sensor.read_noise**2)
    return np.asarray(cv2.sqrt(variance, dst=variance))


@lru_cache(maxsize=16)
def _curve(contrast: float) -> tuple[Array, Array]:
    """The tone curve, and its slope where it is not too steep: for linear light in equal steps."""
    x = np.linspace(0, _BRIGHTEST, _CURVE_STEPS)
    # Highlights roll off softly, as cameras' curves do, instead of stopping dead at white.
    knee = 0.75
    soft = np.where(x < knee, x, knee + (1 - knee) * (1 - np.exp(-(x - knee) / (1 - knee))))
    y = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055)
    s = y * y * (3 - 2 * y)
    y = y + contrast * (s - y)
    shown = np.asarray(np.clip(y * 255 * 1.02, 0, 255), dtype=np.float32)
    slope = np.gradient(shown) * ((_CURVE_STEPS - 1) / _BRIGHTEST)
    return shown, np.minimum(slope, 2500).astype(np.float32)


def curve(sensor: Sensor) -> Array:
    """The tone curve: 8-bit values for linear light from 0 to its brightest, in equal steps."""
    return _curve(sensor.contrast)[0].copy()


def curve_steps(raw: Array) -> Array:
    """The step of the tone curve at which each part of linear light stands."""
    steps = raw * np.float32((_CURVE_STEPS - 1) / _BRIGHTEST)
    # Numpy takes by whole words: of any others it would make them anew with each taking.
    return np.asarray(np.clip(steps, 0, _CURVE_STEPS - 1, out=steps).astype(np.intp))


def develop(steps: Array, sensor: Sensor) -> Array:
    """Linear light, by its steps on the tone curve, as display values 0 to 255 (float), red first."""
    shown = np.take(_curve(sensor.contrast)[0], steps)
    if sensor.saturation != 1:
        grey = threefold(shown @ np.array([0.3, 0.59, 0.11], dtype=np.float32))
        shown -= grey
        shown *= np.float32(sensor.saturation)
        shown += grey
    return np.asarray(shown)


def finish(shown: Array, sensor: Sensor) -> Picture:
    """Sharpening and JPEG."""
    shown = sharpened(shown, sensor)
    picture = np.clip(shown + 0.5, 0, 255).astype(np.uint8)[:, :, ::-1]
    return compress(np.ascontiguousarray(picture), sensor.jpeg_quality)


def sharpened(shown: Array, sensor: Sensor) -> Array:
    """Display values with their edges stressed, as cameras do."""
    if not sensor.sharpening:
        return shown
    edges: Array = np.asarray(cv2.GaussianBlur(shown, (0, 0), 1.1))
    np.subtract(shown, edges, out=edges)
    edges *= np.float32(sensor.sharpening)
    edges += shown
    return edges


def grain(raw: Array, steps: Array, sensor: Sensor) -> Array:
    """How strong noise is in display values, for adding it to an already developed picture."""
    spread = _spread(raw, sensor)
    spread *= np.take(_curve(sensor.contrast)[1], steps)
    # Sharpening stresses noise as it does edges.
    return np.asarray(spread * np.float32(1 + sensor.sharpening))


def compress(picture: Picture, quality: int) -> Picture:
    """The picture after JPEG; quality 100 and more leaves it alone."""
    if quality >= 100:
        return picture
    data: Any = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
