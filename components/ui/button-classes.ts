import { cn } from './cn'

const variants = {
  primary: 'bg-brand text-brand-ink hover:bg-[color-mix(in_oklab,var(--brand),var(--ink)_12%)]',
  secondary: 'border border-line-strong bg-surface text-ink hover:border-ink-second',
  quiet: 'text-ink-second hover:bg-sunken hover:text-ink',
  danger: 'bg-danger text-danger-ink hover:bg-[color-mix(in_oklab,var(--danger),var(--ink)_12%)]',
}
// on touch screens controls are at least 44 px high
const sizes = {
  L: 'min-h-12 px-5 text-body',
  M: 'min-h-10 px-4 text-body pointer-coarse:min-h-11',
  S: 'min-h-9 px-3 text-table pointer-coarse:min-h-11',
}

// in forced colors a button has the background of the page, so it keeps a border
const shape =
  'inline-flex items-center justify-center gap-2 rounded-control py-1.5 text-center font-medium transition-colors forced-colors:border'

export type ButtonLook = { variant?: keyof typeof variants; size?: keyof typeof sizes }

/** The classes of a button, for links that look like one. */
export const buttonClasses = ({ variant = 'primary', size = 'M' }: ButtonLook = {}) =>
  cn(shape, 'cursor-pointer', variants[variant], sizes[size])
