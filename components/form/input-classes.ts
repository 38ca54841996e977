/** The classes of a field, for server and browser. */
// at least 16 px on touch screens, because iOS zooms into smaller fields
export const inputClasses =
  'w-full rounded-control border border-line-field bg-surface px-3.5 text-body text-ink transition-colors hover:border-ink-second aria-invalid:border-danger disabled:border-line disabled:bg-sunken disabled:text-ink-second pointer-coarse:text-[1rem]'
