import { marks } from '@/lib/kernel/marks'
import { cn } from '../ui/cn'

/** The mark of an image code, or the platform's mark if the code is unknown, in the color of the text around it. */
export function Mark({ code = 'default', className }: { code?: string; className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cn('size-7 shrink-0', className)}>
      <path fill="currentColor" d={Object.hasOwn(marks, code) ? marks[code as keyof typeof marks] : marks.default} />
    </svg>
  )
}
