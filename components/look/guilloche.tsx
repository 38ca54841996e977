import { cn } from '../ui/cn'

/** The drawing that the product borrows from passports. Only to be looked at; place and size come from outside. */
export function Guilloche({ form, className }: { form: 'rosette' | 'band'; className?: string }) {
  const drawing = form === 'rosette' ? 'guilloche-rosette' : 'guilloche-band'
  return <div aria-hidden="true" className={cn('pointer-events-none absolute', drawing, className)} />
}
