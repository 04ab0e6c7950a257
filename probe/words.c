/* SPDX-License-Identifier: MIT */
/* Words in the names of files: how people write them, "expected_output", "ExpectedOutputs". */
#include <string.h>

#include "probe/text.h"
#include "scenarios/scenario.h"

static bool is_upper(char c)
{
	return is_letter(c) && lower_case(c) != c;
}

bool name_has_word(const char *name, const char *word)
{
	size_t n = strlen(word);

	for (size_t at = 0; name[at]; at++) {
		size_t same = 0, end;

		if (at > 0 && is_letter(name[at - 1]) &&
		    !(is_upper(name[at]) && !is_upper(name[at - 1])))
			continue;
		while (same < n && lower_case(name[at + same]) == word[same])
			same++;
		if (same < n)
			continue;
		end = at + n;
		if (name[end] == 's' || (name[end] == 'S' && is_upper(name[end - 1])))
			end++;
		/* A new word begins: "expectedOutput", but not "EXPECTEDNESS". */
		if (!is_letter(name[end]) || (is_upper(name[end]) && !is_upper(name[end - 1])))
			return true;
	}
	return false;
}
