/** The classes of an icon button, for buttons without a tooltip. */
export const iconButtonClasses =
  'inline-flex size-9 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-second transition-colors hover:bg-sunken hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-50 data-[state=open]:bg-sunken data-[state=open]:text-ink pointer-coarse:size-11 forced-colors:border'
