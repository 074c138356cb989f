"""The simulated table: renders what a camera above the board sees, an ordinary camera to everybody else.

    renderer = Renderer(table, camera_variant(table, seed=7), PRESETS["typical"], seed=7)
    scene = Scene(white=figure_at(table, Side.WHITE, 1), black=figure_at(table, Side.BLACK, 23))
    frame = renderer.render(scene, index=0, t_s=0.0)

``frame.y`` is the luminance the readers work on; ``frame.picture()`` renders the same look in colour.
"""

from vision.synthetic.camera import HARD, NONE, PRESETS, TYPICAL, Disturbances, camera_variant, default_camera
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import Scene, SceneCard, SceneFigure, SceneHand, figure_at

__all__ = [
    "HARD",
    "NONE",
    "PRESETS",
    "TYPICAL",
    "Disturbances",
    "Renderer",
    "Scene",
    "SceneCard",
    "SceneFigure",
    "SceneHand",
    "camera_variant",
    "default_camera",
    "figure_at",
]
