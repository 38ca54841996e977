import { cn } from '../ui/cn'
import { inputClasses } from './input-classes'

/** The button of a choice from a few options. */
export const selectClasses = cn(
  inputClasses,
  'flex h-10 min-w-0 cursor-pointer items-center justify-between gap-2 text-left disabled:cursor-not-allowed disabled:opacity-50 data-[placeholder]:text-ink-second pointer-coarse:h-11',
)
