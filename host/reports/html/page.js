/* SPDX-License-Identifier: MIT */
// What the page has beyond what it says by itself: a theme's button, filters, all open at once.
// It reads attributes and text, and never writes markup.
"use strict";

(() => {
	const root = document.documentElement;
	const button = document.querySelector("#theme");
	const themes = { automatic: "light", light: "dark", dark: "automatic" };

	function remember(theme) {
		try {
			localStorage.setItem("sandboxeval-theme", theme);
		} catch {
			// A page in a file or a private window may keep nothing.
		}
	}
	function remembered() {
		try {
			return localStorage.getItem("sandboxeval-theme");
		} catch {
			return null;
		}
	}
	function show(theme) {
		if (theme === "automatic")
			delete root.dataset.theme;
		else
			root.dataset.theme = theme;
		button.querySelector("span").textContent = theme;
	}
	let theme = remembered();
	if (!Object.hasOwn(themes, theme ?? ""))
		theme = "automatic";
	show(theme);
	button.parentElement.hidden = false;
	button.addEventListener("click", () => {
		theme = themes[theme];
		show(theme);
		remember(theme);
	});
})();

(() => {
	const form = document.querySelector(".filters");
	if (!form)
		return;
	const rows = [...document.querySelectorAll("[data-status], [data-differs]")];
	const groups = [...document.querySelectorAll(".category")];
	const outcome = document.querySelector("#outcome");
	const all = document.querySelector("#all");
	const texts = new Map();

	// Read when first asked for: a long report is shown without waiting for it.
	function textOf(row) {
		if (!texts.has(row))
			texts.set(row, `${row.dataset.category}.${row.textContent}`.toLowerCase());
		return texts.get(row);
	}
	const words = (text) => text.toLowerCase().split(/\s+/u).filter(Boolean);
	const has = (list, value) => !value || list.split(" ").includes(value);

	function wanted(row, given) {
		const data = row.dataset;
		const statuses = given.getAll("status");

		return (!statuses.length && !form.elements.status
			|| statuses.some((status) => has(data.status, status)))
			&& (!given.get("category") || data.category === given.get("category"))
			&& Number(data.severity ?? 0) >= Number(given.get("severity") ?? 0)
			&& has(data.barriers ?? "", given.get("barrier"))
			&& (!given.get("judgement") || data.judgement === given.get("judgement"))
			&& (!given.get("differs") || data.differs === "yes")
			&& words(given.get("text") ?? "").every((word) => textOf(row).includes(word));
	}
	function filter() {
		const given = new FormData(form);
		let shown = 0;

		for (const row of rows) {
			row.hidden = !wanted(row, given);
			shown += row.hidden ? 0 : 1;
		}
		for (const group of groups)
			group.hidden = !group.querySelector("[data-status]:not([hidden])");
		outcome.textContent = `${shown} of ${rows.length} scenarios`;
	}
	// Where a link leads must be seen, whatever was filtered.
	function reveal() {
		const target = document.getElementById(location.hash.slice(1));
		const row = target?.closest("details");

		if (!row)
			return;
		if (row.hidden) {
			form.reset();
			filter();
		}
		row.open = true;
		row.scrollIntoView();
		row.querySelector("summary").focus({ preventScroll: true });
	}
	form.hidden = false;
	form.addEventListener("input", filter);
	form.addEventListener("submit", (event) => event.preventDefault());
	form.addEventListener("reset", () => setTimeout(filter));
	all?.addEventListener("click", () => {
		const open = all.textContent === "Open all";

		for (const row of rows)
			row.open = open && !row.hidden;
		all.textContent = open ? "Close all" : "Open all";
	});
	addEventListener("hashchange", reveal);
	filter();
	reveal();
})();

// Paper shows everything, and the page is afterwards as it was.
(() => {
	let closed = [];

	addEventListener("beforeprint", () => {
		closed = [...document.querySelectorAll("details:not([open])")];
		for (const row of closed)
			row.open = true;
	});
	addEventListener("afterprint", () => {
		for (const row of closed)
			row.open = false;
	});
})();
