import { cn } from '../ui/cn'

/** The guilloche, as in passports. It is decorative; the parent sets its position and size. */
export function Guilloche({ form, className }: { form: 'rosette' | 'band'; className?: string }) {
  const drawing = form === 'rosette' ? 'guilloche-rosette' : 'guilloche-band'
  return <div aria-hidden="true" className={cn('pointer-events-none absolute', drawing, className)} />
}
