// Keys, and storing each answer as it is given. Without this file the forms work by themselves.
"use strict";
(() => {
  const form = document.getElementById("answer");
  const undo = document.getElementById("undo");
  const status = document.getElementById("status");
  const say = words => { if (status) status.textContent = words; };
  const wait = time => new Promise(done => setTimeout(done, time));
  let queue = Promise.resolve();
  let going = false;

  const radios = name => [...form.querySelectorAll(`input[name="${name}"]`)];
  const answered = name => radios(name).some(radio => radio.checked);
  const NAMES = ["better", "same_answer", "same_content"];
  const whole = () => NAMES.every(answered);
  const began = form ? form.dataset.stored === "yes" : true;

  // Show the server's own page for this form: it says what is the matter, with everything that was chosen.
  function byPage(doing) {
    const field = document.createElement("input");
    Object.assign(field, {type: "hidden", name: "do", value: doing});
    form.append(field);
    HTMLFormElement.prototype.submit.call(form);
  }

  // Send the form as it is now; as long as nobody answers, it is kept here and sent again.
  async function send(doing) {
    for (let pause = 250; ; pause = Math.min(2 * pause, 4000)) {
      const body = new URLSearchParams(new FormData(form));
      body.set("do", doing);
      let trouble = "no connection.";
      try {
        const answer = await fetch(form.getAttribute("action"), {method: "POST", body, headers: {Accept: "application/json"}});
        if (!answer.ok && answer.status !== 503) {
          going = true;
          byPage(doing);
          return null;
        }
        const told = await answer.json();
        if (answer.ok) {
          form.elements.version.value = told.version;
          return told;
        }
        trouble = told.error;
      } catch { /* the reply never came, or in part */ }
      say(`Not stored yet: ${trouble} It is tried again.`);
      await wait(pause);
    }
  }

  function keep() {
    if (going) return;
    say("Storing …");
    queue = queue.then(() => going ? null : send("keep")).then(told => {
      if (told && !going) say(told.open === 0 ? "Stored" : `Stored; ${told.open} open`);
    });
  }

  function go(doing) {
    if (going) return;
    going = true;
    say("Storing …");
    queue = queue.then(() => send(doing)).then(told => {
      if (!told) return;
      if (told.next) {
        location.assign(told.next);
      } else {
        going = false;
        say(`${told.open} of 3 questions still open`);
        mark();
      }
    });
  }

  // What is in sight stays where it is: a page that jumps at every key cannot be read.
  function focus(radio) {
    const box = radio.getBoundingClientRect();
    radio.focus({focusVisible: true, preventScroll: box.top >= 0 && box.bottom <= innerHeight});
  }

  // Put the focus on the first question that is open, so that y and n answer it and a screen reader says it.
  function mark() {
    const name = NAMES.find(one => !answered(one));
    if (name) focus(radios(name)[0]);
  }

  function choose(name, value) {
    const radio = radios(name).find(one => one.value === value);
    radio.checked = true;
    focus(radio);
    if (whole() && !began) {
      go("save");
    } else {
      keep();
      mark();
    }
  }

  function yesOrNo(value) {
    const here = document.activeElement?.name;
    const name = NAMES.slice(1).includes(here) ? here : NAMES.slice(1).find(one => !answered(one));
    if (name) choose(name, value);
  }

  const KEYS = {
    1: () => choose("better", "1"), 2: () => choose("better", "2"), t: () => choose("better", "tie"),
    y: () => yesOrNo("yes"), n: () => yesOrNo("no"), s: () => go("skip"),
    f: () => {
      const flag = form.elements.flag;
      flag.closest("details").open = true;
      flag.checked = !flag.checked;
      keep();
    },
  };

  document.addEventListener("keydown", event => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (at.closest?.("textarea")) return;
    const key = event.key.toLowerCase();
    if (key === "u" && undo) {
      event.preventDefault();
      if (!going) queue.then(() => undo.submit());
    } else if (form && key in KEYS) {
      event.preventDefault();
      KEYS[key]();
    } else if (form && key === "enter" && !at.closest?.("button, a, summary, input")) {
      event.preventDefault();
      go("save");
    }
  });

  // A page that the browser kept is older than what was stored since.
  addEventListener("pageshow", event => { if (event.persisted) location.reload(); });

  if (!form) return;
  form.addEventListener("change", keep);
  form.addEventListener("submit", event => {
    event.preventDefault();
    go(event.submitter?.value || "save");
  });
})();
