#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bundle.sh FOLDER: answer.py with an interpreter and the little of the library that it needs, so
# that it starts in any root, an empty one included: FOLDER/start is a list of its command's words.
set -eu
here=$(dirname "$(readlink -f "$0")")
folder=$1
python=$(readlink -f /usr/bin/python3)
name=$(basename "$python")
mkdir -p "$folder/bin" "$folder/lib/$name/lib-dynload" "$folder/libraries"
cp "$python" "$folder/bin/python3"
cp "$here/answer.py" "$folder/main.py" # by its name it would be a find
cp "$here/paper.py" "$here/beyond.py" "$here/further.py" "$folder/"

# What it really loads, seen by loading it.
/usr/bin/python3 -I -S -B - "$folder/lib/$name" <<'PYTHON'
import array, collections, ctypes, errno, fcntl, fnmatch, functools, hashlib, json, mmap, os, re, signal, tty, resource, select, shutil, socket, stat, struct, sys, time, zlib
import sysconfig
target, source = sys.argv[1], sysconfig.get_path("stdlib")
for module in list(sys.modules.values()):
    path = getattr(module, "__file__", None)
    if path and path.startswith(source):
        place = os.path.join(target, os.path.relpath(path, source))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(path, place)
PYTHON
for file in "$folder/bin/python3" "$folder/lib/$name"/lib-dynload/*.so; do
	ldd "$file" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }'
done | sort -u | while read -r library; do
	cp -L "$library" "$folder/libraries/"
done
cp -L "$(readlink -f /lib64/ld-linux-x86-64.so.2)" "$folder/loader"
chmod -R a+rX "$folder"
chmod 755 "$folder/bin/python3" "$folder/loader"
