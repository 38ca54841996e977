/** The classes of a field, for the server and the browser. */
// 16 px at least under a thumb: iOS zooms into anything smaller
export const inputClasses =
  'w-full rounded-control border border-line-field bg-surface px-3.5 text-body text-ink transition-colors hover:border-ink-second aria-invalid:border-danger disabled:border-line disabled:bg-sunken disabled:text-ink-second pointer-coarse:text-[1rem]'
