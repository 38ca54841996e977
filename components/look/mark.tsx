import { emblems } from '@/lib/base/pictures/emblems'
import { logoAddress } from '@/lib/site/pictures/rule'
import { cn } from '../ui/cn'

type Props = {
  /** The image code. */
  code?: string
  /** The id of a domain's own logo, which replaces the emblem. */
  logo?: string | null
  className?: string
}

/**
 * The logo, else the emblem of an image code, or the platform's emblem if the code is unknown, in the color of the
 * text.
 */
export function Mark({ code = 'default', logo, className }: Props) {
  if (logo)
    return (
      // biome-ignore lint/performance/noImgElement: a logo is drawn once for all sizes, and comes from our own address
      <img src={logoAddress(logo)} alt="" className={cn('size-7 shrink-0 object-contain', className)} />
    )
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cn('size-7 shrink-0', className)}>
      <path
        fill="currentColor"
        d={Object.hasOwn(emblems, code) ? emblems[code as keyof typeof emblems] : emblems.default}
      />
    </svg>
  )
}
