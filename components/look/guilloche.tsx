import { cn } from '../ui/cn'

const drawings = { rosette: 'guilloche-rosette', medallion: 'guilloche-medallion', band: 'guilloche-band' }

/** The guilloche, as in passports. It is decorative; the parent sets its position and size. */
export function Guilloche({ form, className }: { form: keyof typeof drawings; className?: string }) {
  const drawing = drawings[form]
  return <div aria-hidden="true" className={cn('pointer-events-none absolute', drawing, className)} />
}
