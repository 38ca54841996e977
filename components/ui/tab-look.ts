/** The row of tabs, which scrolls sideways if it is too long. */
export const tabsLook = 'tabs flex gap-1 overflow-x-auto border-line border-b'

/** The classes of a tab; `data-state` or `aria-current` marks the chosen one. */
export const tabLook =
  'relative -mb-px flex min-h-10 rounded-t-control shrink-0 cursor-pointer items-center gap-2 border-transparent border-b-2 px-3 text-ink-second text-table transition-colors outline-offset-[-2px]! hover:text-ink aria-[current=page]:border-brand aria-[current=page]:font-medium aria-[current=page]:text-ink data-[state=active]:border-brand data-[state=active]:font-medium data-[state=active]:text-ink pointer-coarse:min-h-11'
