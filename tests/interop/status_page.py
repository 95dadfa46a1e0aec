#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what headless Chromium shows of the status page at a URL, while a client makes calls. Prints lines as expect.sh does."""

import os
import re
import sys
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

# The page reloads itself, so one script reads all of it.
SHOWN = r"""
const figure = text => Number(text.replaceAll(',', ''));
const box = element => element.getBoundingClientRect();
const inside = (inner, outer) => inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
const ground = element => {
  const color = getComputedStyle(element).backgroundColor;
  return color === 'rgba(0, 0, 0, 0)' ? ground(element.parentElement) : color;
};
const line = path => ({length: path.getTotalLength(), inside: inside(box(path), box(path.ownerSVGElement)),
  color: getComputedStyle(path).stroke, ground: ground(path)});
const mark = item => ({text: item.innerText, color: getComputedStyle(item.querySelector('rect') || item).fill});
const plot = section => ({title: section.querySelector('h2').innerText, size: box(section.querySelector('svg[role=img]')),
  lines: [...section.querySelectorAll('path')].map(line), legend: [...section.querySelectorAll('li')].map(mark)});
return {
  loaded: performance.timeOrigin,
  heading: document.querySelector('h1').innerText,
  figures: Object.fromEntries([...document.querySelectorAll('.cards .card')].map(
    card => [card.querySelector('span').innerText, figure(card.querySelector('b').innerText)])),
  plots: [...document.querySelectorAll('.charts section')].map(plot),
  calls: Object.fromEntries([...document.querySelectorAll('tbody tr')].map(row => [row.cells[0].innerText, figure(row.cells[1].innerText)])),
  page: getComputedStyle(document.body).backgroundColor,
  texts: [...document.querySelectorAll('h1, h2, p, a, b, .card span, li, th, td')].map(
    text => ({text: text.innerText, color: getComputedStyle(text).color, ground: ground(text)})),
  hidden: document.documentElement.scrollWidth - document.documentElement.clientWidth,
}
"""

failures = 0


def expect(statement, holds, seen):
    global failures
    if holds:
        print("ok -", statement, flush=True)
    else:
        failures += 1
        print(f"not ok - {statement}\n  # {seen}", flush=True)


def shown_when(browser, condition):
    """What the page shows as soon as the condition holds for it, or after a minute."""
    end = time.monotonic() + 60
    while True:
        try:
            shown = browser.execute_script(SHOWN)
            if condition(shown) or time.monotonic() > end:
                return shown
        except WebDriverException:  # The page was being reloaded.
            if time.monotonic() > end:
                raise
        time.sleep(0.2)


def luminance(color):
    """The relative luminance that WCAG 2 defines."""
    channels = [int(channel) / 255 for channel in re.findall(r"\d+", color)[:3]]
    linear = [channel / 12.92 if channel <= 0.03928 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(colored):
    darker, lighter = sorted([luminance(colored["color"]), luminance(colored["ground"])])
    return (lighter + 0.05) / (darker + 0.05)


def is_drawn(plot):
    return (
        plot["size"]["width"] > 300
        and len(plot["lines"]) == len(plot["legend"]) > 0
        and all(line["length"] > 0 and line["inside"] for line in plot["lines"])
    )


def test(browser, url):
    browser.get(url)
    first = shown_when(browser, lambda shown: shown["calls"].get("READ", 0) > 0)
    expect("the page has a heading", first["heading"] == "nfs-server", first["heading"])
    figures = {"connections", "connections rejected", "calls running", "calls waiting", "calls", "RPC errors", "replies kept"}
    expect("it shows seven figures", set(first["figures"]) == figures, first["figures"])

    def later(shown):
        return shown["loaded"] > first["loaded"] and shown["calls"].get("READ", 0) > first["calls"].get("READ", 0)

    second = shown_when(browser, lambda shown: later(shown) and all(map(is_drawn, shown["plots"])))
    expect("it reloads itself, and then shows more calls", later(second), [first["calls"], second["calls"]])
    expect("the calls of its table add up to the figure", sum(second["calls"].values()) == second["figures"]["calls"], second)
    expect("it draws four plots", len(second["plots"]) == 4 and all(map(is_drawn, second["plots"])), second["plots"])
    expect(
        "a plot of each procedure's calls is among them",
        any(plot["title"] == "Calls per second" and any(mark["text"].startswith("READ ") for mark in plot["legend"]) for plot in second["plots"]),
        second["plots"],
    )
    for scheme in "light", "dark":
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        shown = shown_when(browser, lambda shown: all(map(is_drawn, shown["plots"])))
        expect(f"{scheme}: so is the page", (luminance(shown["page"]) > 0.5) == (scheme == "light"), shown["page"])
        faint = [text for text in shown["texts"] if contrast(text) < 4.5]
        expect(f"{scheme}: every text has the contrast that WCAG 2 requires", len(shown["texts"]) > 50 and not faint, faint)
        lines = [line for plot in shown["plots"] for line in plot["lines"]]
        faint = [line for line in lines if contrast(line) < 3]
        expect(f"{scheme}: every line has it", len(lines) > 4 and not faint, faint)
        colors = [([line["color"] for line in plot["lines"]], [mark["color"] for mark in plot["legend"]]) for plot in shown["plots"]]
        expect(f"{scheme}: each line of a plot has the color of its legend, and another than the others'", all(
            drawn == explained and len(set(drawn)) == len(drawn) for drawn, explained in colors), colors)
        for width in 1280, 500:
            browser.set_window_size(width, 1000)
            hidden = browser.execute_script(SHOWN)["hidden"]
            expect(f"{scheme}: nothing is outside of a window of {width} pixels", hidden == 0, f"{hidden} pixels")
    log = browser.get_log("browser")
    expect("the browser's console has no errors", not log, log)


options = webdriver.ChromeOptions()
for argument in "headless=new", "disable-gpu", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync":
    options.add_argument("--" + argument)
if os.geteuid() == 0:
    options.add_argument("--no-sandbox")
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
try:
    test(browser, sys.argv[1])
finally:
    browser.quit()
sys.exit(failures > 0)
