"""What caching images is measured with: pictures like photographs, and a measure of what a command took."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from PIL import Image

from nftsite.bench import gallery
from tests.processes import ROOT


def test_pictures_are_megapixels_that_do_not_compress_to_nothing_and_no_two_are_the_same(
    tmp_path: Path,
) -> None:
    gallery.paint(tmp_path / "pictures", 3)
    files = sorted((tmp_path / "pictures").iterdir())
    assert [file.name for file in files] == ["0", "1", "2"]
    assert len({file.read_bytes() for file in files}) == 3
    for file in files:
        assert file.stat().st_size > 1_000_000
        with Image.open(file) as picture:
            assert (picture.format, picture.size, picture.mode) == ("PNG", (1024, 1024), "RGB")
            # Whole shades and no noise: neighbours hardly differ.
            row = [picture.getpixel((x, 500)) for x in range(1024)]
        steps = sorted(abs(one[0] - other[0]) for one, other in pairwise(row))  # type: ignore[index]
        assert steps[len(steps) // 2] <= 4


def test_a_command_is_measured_with_all_that_it_waits_for() -> None:
    inner = "import sys; block = b'x' * (100 << 20); print(len(block)); sys.exit(3)"
    outer = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {inner!r}]))"
    words = [sys.executable, "-m", "nftsite.bench.measured", sys.executable, "-c", outer]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, f"{100 << 20}\n")
    used = json.loads(done.stdout)
    assert 100 << 20 < used["peak_bytes"] < 200 << 20
    assert used["cpu_seconds"] > 0
