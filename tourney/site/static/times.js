// Shows the moments of a page in the reader's own time; what the page says of each, in UTC and in the time zone of the
// event, becomes its title. Without it the page is complete.
"use strict";

(() => {
  const FORM = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };

  function show() {
    for (const time of document.querySelectorAll('time[datetime$="Z"]:not([title])')) {
      time.title = time.textContent;
      time.textContent = new Date(time.dateTime).toLocaleString("en-GB", FORM).replace(",", "");
    }
  }

  document.addEventListener("tourney:refreshed", show); // the page has been fetched again
  show();
})();
