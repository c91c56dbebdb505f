"""`make trial-boot`: a Debian runs, gets the package, an update in mid-match, and is started again with it.

Then its service is watched, killed, removed and purged. Run it as root. The machine is played by qemu: by the
processor where that can play machines, else instruction by instruction. What happens in it is done by
inside.py; its first start ends when the service's user switches it off.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import roots
from roots import TREE, Failed, Root

IMAGE_MB = 4096
MEMORY_MB = 1024
"""Half of what the smallest board has that is advised: what starts and rests in it does so there."""
PATIENCE_S = 5400
"""For each start."""
STICK_KB = 65536
SLIM = "MODULES=list\nCOMPRESS=lz4\n"
"""A first file system for this machine alone: one with all drivers takes minutes to unpack."""
DRIVERS = "virtio_pci\nvirtio_blk\next4\n"
PLAYED = ["-accel", "tcg", "-cpu", "max", "-icount", "shift=0"]
"""A processor of 10⁹ instructions a second by the machine's own clock, however slowly it is played: without
`-icount` a busy PC would look like a hanging box from inside."""
UNIT = """[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/usr/bin/python3 /root/trial/inside.py OLDER NEWER
TimeoutStartSec=infinity
[Install]
WantedBy=default.target
"""
PHONE = ("iproute2", "iw", "wpasupplicant", "busybox")
"""What plays a phone beside the box: radio.py."""
STARTS = ("install", "watch")
"""The machine starts twice: first without the package, which comes to it while it runs, then with it."""
MUST = {
    "install_prints": True, "install_starts": True, "install_gives_node": "pipwatch 660",
    "install_lets_camera": True, "install_version": True, "entries": 3, "update_prints": True,
    "update_starts": True, "update_version": True, "match_after_update": True, "entries_after_update": 4,
    "may_power_off": 's "yes"', "power_off": "granted", "active": True, "page_answers": True,
    "match_after_power": True, "match_after_kills": True, "watchdog_in_journal": True, "restarts": 2,
    "files_outside": [], "still_active": True, "verify": "clean", "on_the_stick": 1, "backup_by_sudo": 1,
    "pins": True, "console": True, "late_camera": True, "damage_on_the_page": True, "remove_stops": True,
    "phone_apart": True, "with_cable": True, "spot_profile": True, "phone_lease": True,
    "phone_sees_page": True, "phone_is_alone": True, "wifi_not_told": True, "blocked_told": True,
    "remove_leaves": [], "remove_keeps": True, "purge_leaves": [], "purge_leaves_known": [],
}  # fmt: skip
"""What has to be so; all else is a figure."""


def main() -> int:
    """Boot what the command line asks for; one line of JSON."""
    words = argparse.ArgumentParser(description="Boot a Debian with the package in it. As root.")
    words.add_argument("--release", choices=roots.RELEASES, default="trixie", help="(trixie)")
    words.add_argument("--cache", type=Path, default=TREE / "out/roots", help="where roots are kept")
    asked = words.parse_args()
    told: dict[str, object] = {"debian": roots.RELEASES[asked.release], "arch": "amd64"}
    try:
        told |= booted(asked.cache, asked.release)
        if wrong := {name: told.get(name) for name, due in MUST.items() if told.get(name) != due}:
            told["failed"] = wrong
    except Failed as wrong:
        told["failed"] = str(wrong)
    print(json.dumps(told, ensure_ascii=False), flush=True)
    return 1 if "failed" in told else 0


def booted(cache: Path, release: str) -> dict[str, object]:
    """What the booted system says of itself."""
    work = cache / f"{release}.boot"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    with roots.layer(roots.base(cache, release, "amd64"), cache) as root:
        _furnished(root)
        root.run("mkfs.vfat", "-C", "/root/trial/stick.img", str(STICK_KB))
        shutil.move(root.folder / "root/trial/stick.img", work)
        for name in ("vmlinuz", "initrd.img"):
            shutil.copy(root.folder / (root.folder / name).readlink(), work / name)
        roots.unmounted_inside(root)
        image = work / "disk.img"
        subprocess.run(
            ["mke2fs", "-q", "-t", "ext4", "-d", root.folder, image, f"{IMAGE_MB}M"],
            check=True, stdout=sys.stderr,
        )  # fmt: skip
    return _played(work)


def _furnished(root: Root) -> None:
    """A kernel, what the package needs, two of its versions to install, and what looks at it."""
    place = root.folder / "root/trial"
    place.mkdir(parents=True)
    newer = roots.deb.version()
    for number in (roots.BEFORE, newer):
        roots.deb.built(place, number)
    root.apt("update")
    root.apt("install", "initramfs-tools", "lz4", "dosfstools")
    (root.folder / "etc/initramfs-tools/conf.d/trial").write_text(SLIM)
    with (root.folder / "etc/initramfs-tools/modules").open("a") as modules:
        modules.write(DRIVERS)
    root.apt("install", "linux-image-amd64", *PHONE, *roots.wanted(root))
    root.apt("clean")
    # All that is needed lies there; and lists that are read instruction by instruction take minutes.
    shutil.rmtree(root.folder / "var/lib/apt/lists")
    for name in ("inside.py", "booted.py", "radio.py"):
        shutil.copy(TREE / "systemd/trial" / name, place)
    unit = UNIT.replace("OLDER", roots.BEFORE).replace("NEWER", newer)
    (root.folder / "etc/systemd/system/trial.service").write_text(unit)
    root.run("systemctl", "enable", "trial.service")
    (root.folder / "usr/sbin/policy-rc.d").unlink()
    (root.folder / "etc/fstab").write_text("/dev/vda / ext4 defaults,noatime 0 0\n")


def _played(work: Path) -> dict[str, object]:
    """Run the machine until it is switched off, and once more, and gather its figures."""
    fast = by_the_processor()
    processor = ["-enable-kvm", "-cpu", "host", "-smp", "2"] if fast else PLAYED
    command = [
        "qemu-system-x86_64", *processor, "-m", str(MEMORY_MB), "-nographic", "-no-reboot",
        "-kernel", work / "vmlinuz", "-initrd", work / "initrd.img",
        "-append", "root=/dev/vda rw console=ttyS0 systemd.show_status=0",
        "-drive", f"file={work / 'disk.img'},format=raw,if=virtio", "-nic", "user,model=virtio-net-pci",
        "-device", "qemu-xhci", "-drive", f"file={work / 'stick.img'},format=raw,if=none,id=stick",
        "-device", "usb-storage,drive=stick,removable=on",
    ]  # fmt: skip
    told: dict[str, object] = {"kvm": fast}
    for start in STARTS:
        began, log = time.monotonic(), work / f"{start}.log"
        with log.open("wb") as console:
            try:
                ended = subprocess.run(
                    command, stdin=subprocess.DEVNULL, stdout=console, stderr=console, timeout=PATIENCE_S
                ).returncode
            except subprocess.TimeoutExpired:
                raise Failed(f"it was not switched off; what it said is in {log}") from None
        roots.must(not ended, f"qemu ended with {ended} before the machine did; see {log}")
        told[f"{start}_machine_s"] = round(time.monotonic() - began)
        for line in log.read_text(errors="replace").splitlines():
            if "TRIAL {" in line:
                told |= json.loads(line.partition("TRIAL ")[2])
        if "broke" in told:
            break
    return told


def by_the_processor() -> bool:
    """Whether the processor itself can play a machine.

    /dev/kvm alone does not say so: where a host without that ability plays it in its turn (kvm_pvm), a kernel
    that does not know of it is read instruction by instruction, and no boot ends."""
    flags = Path("/proc/cpuinfo").read_text().split()
    return Path("/dev/kvm").exists() and bool({"vmx", "svm"} & set(flags))


if __name__ == "__main__":
    sys.exit(main())
