import type { ComponentProps } from 'react'
import { Contrast } from '../ui/icons'

/** Opens the choice of a theme. Its menu is loaded on the first hover or focus. */
export const ThemeButton = ({ label, ...rest }: ComponentProps<'button'> & { label: string }) => (
  <button
    type="button"
    {...rest}
    aria-label={label}
    title={label}
    className="flex size-9 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-second transition-colors hover:bg-sunken hover:text-ink pointer-coarse:size-11"
  >
    <Contrast className="size-5" />
  </button>
)
