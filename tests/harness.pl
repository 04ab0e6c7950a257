#!/usr/bin/perl
# SPDX-License-Identifier: MIT
#
# Runs test programs that speak TAP, one after another, and ends with one line that counts all
# their assertions: "N passed, N failed, N skipped". Exit status 0 only if something passed and
# nothing failed. A program that dies, or breaks its plan, counts as a failure.
use strict;
use warnings;
use File::Temp qw(tempdir);
use TAP::Harness;

$ENV{CMOCKA_MESSAGE_OUTPUT} = 'TAP';
# The runs of the tests are not for the history of whoever runs them.
$ENV{XDG_DATA_HOME} = tempdir(CLEANUP => 1);
chmod 0777, $ENV{XDG_DATA_HOME};
# A test program is its own interpreter: C, shell or Python.
my $harness = TAP::Harness->new({ exec => [], merge => 0, failures => 1 });
my $aggregate = $harness->runtests(@ARGV);

my ($passed, $failed, $skipped) = (0, 0, 0);
for my $parser ($aggregate->parsers) {
	my $fine = $parser->passed - $parser->skipped;
	$passed += $fine;
	$skipped += $parser->skipped + ($parser->skip_all ? 1 : 0);
	$failed += $parser->failed;
	# Dead, or not what it had planned, though each line it printed was fine.
	$failed += 1 if !$parser->failed && $parser->has_problems;
}
for my $parser ($aggregate->parsers) {
	printf "skipped: %s\n", $parser->skip_all if $parser->skip_all;
}
printf "%d passed, %d failed, %d skipped\n", $passed, $failed, $skipped;
exit($passed > 0 && $failed == 0 ? 0 : 1);
