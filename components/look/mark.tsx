import { cn } from '../ui/cn'
import { sealOutline } from './seal-outline'

/** The platform's mark, in the color of the text around it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cn('size-7 shrink-0', className)}>
      <path fill="currentColor" d={sealOutline} />
    </svg>
  )
}
