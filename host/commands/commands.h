/* SPDX-License-Identifier: MIT */
/*
 * The commands of sandboxeval. Each is one file in host/commands/ and one row of the table in
 * host/main.c, from which --help is printed. `argv[0]` is the command's whole name for messages
 * ("sandboxeval list"); the returned value is the program's exit status (host/error.h). Only
 * commands print; what they call fills a struct error.
 */
#pragma once

int command_run(int argc, char *argv[]);
int command_list(int argc, char *argv[]);
int command_explain(int argc, char *argv[]);
int command_policy(int argc, char *argv[]);
int command_sandboxes(int argc, char *argv[]);
int command_compare(int argc, char *argv[]);
int command_history(int argc, char *argv[]);
int command_show(int argc, char *argv[]);
int command_diff(int argc, char *argv[]);
int command_report(int argc, char *argv[]);
int command_witness(int argc, char *argv[]);
