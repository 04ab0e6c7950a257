// SPDX-License-Identifier: MIT
//
// html.mjs FOLDER: opens the pages that html.t made there in Chromium, and prints TAP. Whatever
// the browser complains of (its policy included), whatever it asks the network for, and whatever
// hostile content starts is a failure. Screenshots are left beside the pages.
import { createRequire } from "node:module";
import { join } from "node:path";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

const [folder] = process.argv.slice(2);
const { chromium } = createRequire(join(process.env.PLAYWRIGHT, "/"))("playwright-core");

let n = 0, failed = 0;
function ok(fine, name, seen) {
	console.log(`${fine ? "ok" : "not ok"} ${++n} - ${name}`);
	if (fine)
		return;
	failed = 1;
	if (seen !== undefined)
		console.log(`# ${JSON.stringify(seen).slice(0, 2000)}`);
}

const profile = mkdtempSync(join(tmpdir(), "sandboxeval-browser-"));
async function start(options) {
	return chromium.launchPersistentContext(profile, {
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync"],
		viewport: { width: 1440, height: 900 },
		...options,
	});
}

// A page, and all that it or the browser had to say about it.
async function open(context, name) {
	const page = await context.newPage();
	const complaints = [];

	page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
	page.on("pageerror", (error) => complaints.push(error.message));
	page.on("dialog", (dialog) => {
		complaints.push(`dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
	page.on("request", (request) => {
		if (request.url() !== `file://${join(folder, `${name}.html`)}`)
			complaints.push(`asks for ${request.url()}`);
	});
	await page.goto(`file://${join(folder, `${name}.html`)}`);
	return { page, complaints };
}
const shown = (page) => page.locator(".finding:visible").count();
const outcome = (page) => page.locator("#outcome").textContent();
const wide = (page) => page.evaluate(() =>
	document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function filters(context) {
	const { page, complaints } = await open(context, "run");
	const all = await page.locator(".finding").count();

	ok(all > 0 && await shown(page) === all, "every scenario is there", all);
	ok((await outcome(page)).startsWith(`${all} of ${all}`), "and counted", await outcome(page));
	ok(await page.locator("#outcome[aria-live]").count() === 1, "the count is told to those who listen");
	for (const status of ["accessed", "denied", "unknown"])
		if (status !== "denied")
			await page.locator(`input[name=status][value=${status}]`).uncheck();
	const denied = await page.locator(".finding.denied").count();
	ok(await shown(page) === denied && (await outcome(page)).startsWith(`${denied} of`),
		"only what is denied", [await shown(page), denied]);
	ok(await page.locator(".category:visible").count() ===
		await page.locator(".category:has(.finding.denied)").count(), "no empty category");
	await page.selectOption("[name=barrier]", { index: 1 });
	const barrier = await page.inputValue("[name=barrier]");
	ok(await shown(page) === await page.locator(`.finding.denied[data-barriers~=${barrier}]`).count(),
		"by a barrier", barrier);
	await page.click("button[type=reset]");
	await page.waitForFunction((count) => document.querySelector("#outcome").textContent
		.startsWith(`${count} of ${count}`), all);
	ok(await shown(page) === all, "reset");
	await page.selectOption("[name=category]", "system");
	ok(await shown(page) === await page.locator(".finding[data-category=system]").count(),
		"by category");
	await page.fill("[name=text]", "system.cpu model");
	ok(await shown(page) === 1, "by words of its text", await shown(page));
	await page.fill("[name=text]", "no such thing anywhere");
	ok(await shown(page) === 0 && (await outcome(page)).startsWith("0 of"), "nothing");
	await page.evaluate(() => { location.hash = "#system.users"; });
	await page.waitForFunction(() => document.activeElement?.tagName === "SUMMARY");
	ok(await page.locator("#system\\.users").isVisible(), "a link shows what was filtered away");
	await page.click("button[type=reset]");
	await page.selectOption("[name=severity]", "4");
	ok(await shown(page) === await page.locator(".finding[data-severity='4'], .finding[data-severity='5']")
		.count(), "by severity");
	await page.click("#all");
	ok(await page.locator(".finding[open]:visible").count() === await shown(page), "open all");
	await page.click("#all");
	ok(await page.locator(".finding[open]").count() === 0, "close all");
	ok(complaints.length === 0, "no complaint while filtering", complaints);
	await page.close();
}

async function keyboard(context) {
	const { page } = await open(context, "run");

	await page.keyboard.press("Tab");
	ok(await page.evaluate(() => document.activeElement.className) === "skip", "first a way to the report");
	await page.locator(".finding summary").first().focus();
	await page.keyboard.press("Enter");
	ok(await page.locator(".finding[open]").count() === 1, "a finding opens by the keyboard");
	const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
	ok(outline !== "none", "what has the focus shows it", outline);
	await page.click("#theme");
	await page.click("#theme");
	ok(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme) === "dark",
		"the theme's button");
	await page.reload();
	ok(await page.getAttribute("html", "data-theme") === "dark", "and it is remembered");
	await page.click("#theme");
	await page.close();
}

async function structure(context) {
	const { page } = await open(context, "run");
	const faults = await page.evaluate(() => {
		const found = [];
		const ids = new Set();
		let level = 0;

		for (const { id } of document.querySelectorAll("[id]"))
			ids.has(id) ? found.push(`twice: ${id}`) : ids.add(id);
		for (const { hash } of document.querySelectorAll("a[href^='#']"))
			ids.has(hash.slice(1)) || found.push(`leads nowhere: ${hash}`);
		for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5")) {
			const next = Number(heading.tagName[1]);

			if (next > level + 1)
				found.push(`${heading.tagName} after H${level}: ${heading.textContent}`);
			level = next;
		}
		for (const table of document.querySelectorAll("table"))
			table.querySelector("th[scope=col]") && table.querySelector("th[scope=row]")
				|| found.push(`a table without headers: ${table.className}`);
		for (const field of document.querySelectorAll("input, select"))
			field.labels.length || found.push(`no label: ${field.name}`);
		for (const element of document.querySelectorAll("[style], [onclick], [onload], [onerror]"))
			found.push(`inline: ${element.outerHTML.slice(0, 100)}`);
		for (const name of ["main", "header", "footer", "h1", "[role=search]"])
			document.querySelectorAll(name).length === 1 || found.push(`not one ${name}`);
		return found;
	});
	ok(faults.length === 0, "headings, tables, labels, landmarks and links", faults);
	await page.close();
}

// Enough contrast for what is small, in both themes: WCAG 2, 4.5 to 1.
async function contrast(context, scheme) {
	const { page } = await open(context, "run");

	await page.emulateMedia({ colorScheme: scheme });
	await page.click("#all");
	const faults = await page.evaluate(() => {
		const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		const layer = (color, under) => {
			canvas.fillStyle = `rgb(${under})`;
			canvas.fillRect(0, 0, 1, 1);
			canvas.fillStyle = color;
			canvas.fillRect(0, 0, 1, 1);
			return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
		};
		const ground = (element) => element ?
			layer(getComputedStyle(element).backgroundColor, ground(element.parentElement)) :
			[255, 255, 255];
		const light = (color) => color.map((c) => c / 255)
			.map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
			.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
		const found = new Set();

		for (const element of document.querySelectorAll("main *, header *, footer *")) {
			if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
				continue;
			if (!element.checkVisibility() || element.closest(".unseen, svg, option"))
				continue;
			const under = ground(element);
			const [a, b] = [light(layer(getComputedStyle(element).color, under)), light(under)]
				.sort((x, y) => y - x);

			if ((a + 0.05) / (b + 0.05) < 4.5)
				found.add(`${element.tagName}.${element.className} in ${element.parentElement.className}: `
					+ `${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
		}
		return [...found];
	});
	ok(faults.length === 0, `contrast, ${scheme}`, faults);
	await page.close();
}

async function looks(context, name) {
	for (const [device, width] of [["phone", 390], ["desk", 1440]]) {
		for (const scheme of ["light", "dark"]) {
			const { page, complaints } = await open(context, name);

			await page.setViewportSize({ width, height: 900 });
			await page.emulateMedia({ colorScheme: scheme });
			if (await page.locator("#all").count())
				await page.click("#all");
			ok(await wide(page) <= 0, `${name}: nothing sticks out, ${device}, ${scheme}`, await wide(page));
			if (await page.locator("#all").count())
				await page.click("#all");
			await page.screenshot({ path: join(folder, `${name}-${device}-${scheme}.png`), fullPage: !name.startsWith("hostile") });
			ok(complaints.length === 0, `${name}: no complaint, ${device}, ${scheme}`, complaints);
			await page.close();
		}
	}
}

async function hostile(context, name) {
	const { page, complaints } = await open(context, name);
	const seen = await page.evaluate(() => ({
		owned: Object.keys(window).filter((key) => key.startsWith("owned")),
		scripts: document.scripts.length, styles: document.querySelectorAll("style").length,
		elements: document.querySelectorAll("img, iframe, object, embed, base, link, video, input[autofocus]")
			.length,
		marks: /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u0000-\u0008]/u
			.test(document.body.textContent),
		length: document.documentElement.outerHTML.length,
	}));

	ok(seen.owned.length === 0, `${name}: nothing ran`, seen);
	ok(seen.scripts === 1 && seen.styles === 1 && seen.elements === 0, `${name}: no element of its own`,
		seen);
	ok(!seen.marks, `${name}: nothing that reorders or hides text`);
	ok(await page.getByText("<script>").count() > 0, `${name}: it is shown as text`);
	/* Uncut it would be a hundred times as much, for some 140 scenarios. */
	ok(seen.length < 6e6, `${name}: a megabyte of evidence is cut`, seen.length);
	ok(complaints.length === 0, `${name}: no complaint`, complaints);
	await page.close();
}

// Its policy holds against what would get past the escaper.
async function policy(context) {
	const { page, complaints } = await open(context, "run");

	await page.evaluate(() => {
		const image = document.createElement("img");

		image.src = "https://192.0.2.1/x.png";
		document.body.append(image);
		document.body.insertAdjacentHTML("beforeend", "<p onclick=\"window.owned = 1\">x</p>");
		document.body.lastElementChild.click();
		const script = document.createElement("script");

		script.textContent = "window.owned = 2";
		document.body.append(script);
	});
	await page.waitForTimeout(200);
	ok(await page.evaluate(() => window.owned) === undefined, "the policy lets no other script run");
	ok(complaints.some((text) => text.includes("img-src") || text.includes("default-src")),
		"nor anything be loaded", complaints);
	await page.close();
}

async function paper(context, name) {
	const { page } = await open(context, "run");
	const all = await page.locator(".finding").count();

	await page.emulateMedia({ media: "print" });
	const visible = await page.locator(".finding .body").evaluateAll((bodies) =>
		bodies.filter((body) => body.checkVisibility({ contentVisibilityAuto: true })
			&& body.getBoundingClientRect().height > 50).length);
	ok(visible === all, `${name}: paper shows every finding`, [visible, all]);
	ok(await page.locator(".filters:visible").count() === 0, `${name}: and no button`);
	const pdf = await page.pdf({ path: join(folder, `${name}.pdf`), format: "A4", printBackground: true });
	ok(pdf.length > 50000, `${name}: it prints`, pdf.length);
	await page.close();
}

async function withoutScript(context) {
	const { page } = await open(context, "run");
	const all = await page.locator(".finding").count();

	ok(all > 0 && await shown(page) === all, "without a script every scenario is there");
	ok(await page.locator(".filters:visible, .tools:visible").count() === 0, "and no button that does nothing");
	await page.locator(".finding summary").first().click();
	ok(await page.locator(".finding .body").first().isVisible(), "a finding opens");
	await page.goto(`${page.url().replace(/#.*/u, "")}#system.users`);
	ok(await page.locator("#system\\.users").isVisible(), "a link opens it, too");
	await page.close();
}

async function matrix(context) {
	const { page, complaints } = await open(context, "matrix");
	const all = await page.locator("tbody[data-differs]").count();
	const differing = await page.locator("tbody[data-differs=yes]").count();

	ok(all > differing && differing > 0, "some scenarios differ", [all, differing]);
	await page.check("[name=differs]");
	ok(await page.locator("tbody:visible").count() === differing
		&& (await outcome(page)).startsWith(`${differing} of ${all}`), "only what differs");
	await page.fill("[name=text]", "network.dns");
	ok(await page.locator("tbody:visible").count() <= 1, "by words");
	ok(complaints.length === 0, "no complaint", complaints);
	await page.close();
}

async function matrixWithoutScript(context) {
	const { page } = await open(context, "matrix");
	const cases = () => page.locator("tr.case:visible").count();
	const differing = await cases();

	ok(differing === await page.locator("tr.case.differs").count(), "cases that differ, without a script");
	await page.check("#cases");
	ok(await cases() === await page.locator("tr.case").count() && await cases() > differing, "all cases");
	await page.close();
}

mkdirSync(folder, { recursive: true });
let context = await start({});
try {
	await filters(context);
	await keyboard(context);
	await structure(context);
	await contrast(context, "light");
	await contrast(context, "dark");
	for (const name of ["run", "judged", "none", "incomplete", "matrix", "hostile", "hostile-matrix"])
		await looks(context, name);
	for (const name of ["hostile", "hostile-matrix"])
		await hostile(context, name);
	await matrix(context);
	await policy(context);
	await paper(context, "script");
	await context.close();
	context = await start({ javaScriptEnabled: false });
	await withoutScript(context);
	await matrixWithoutScript(context);
	await paper(context, "no-script");
} catch (error) {
	ok(false, "the tests run to their end", error.message);
} finally {
	await context.close();
	rmSync(profile, { recursive: true, force: true });
}
console.log(`1..${n}`);
process.exit(failed);
