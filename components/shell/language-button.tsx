import type { ComponentProps } from 'react'
import { cn } from '../ui/cn'
import { ChevronDown } from '../ui/icons'

/** Shows the current language; its menu is loaded on the first hover or focus. */
export function LanguageButton({ name, className, ...rest }: ComponentProps<'button'> & { name: string }) {
  return (
    <button
      type="button"
      {...rest}
      className={cn(
        '-mr-2.5 flex shrink-0 min-h-9 cursor-pointer items-center gap-1.5 rounded-control px-2.5 text-ink-second text-table transition-colors hover:bg-sunken hover:text-ink pointer-coarse:min-h-11',
        className,
      )}
    >
      {name}
      <ChevronDown className="size-4" />
    </button>
  )
}
