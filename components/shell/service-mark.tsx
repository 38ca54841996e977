import { logoAddress } from '@/lib/site/pictures/rule'
import { cn } from '../ui/cn'

const sizes = { S: 'size-6 text-note', M: 'size-8 text-table', L: 'size-11 text-section' }
type Props = { title: string; icon?: string | null | undefined; size?: keyof typeof sizes; quiet?: boolean }

/** The icon of a service: the picture with the id `icon`, else its first letter. */
export function ServiceMark({ title, icon, size = 'L', quiet = false }: Props) {
  if (icon)
    return (
      // biome-ignore lint/performance/noImgElement: an icon is drawn once for all sizes, and comes from our own address
      <img
        src={logoAddress(icon)}
        alt=""
        className={cn('shrink-0 rounded-control object-contain', sizes[size], quiet && 'opacity-60 grayscale')}
      />
    )
  return (
    <span
      aria-hidden="true"
      className={cn(
        'flex shrink-0 items-center justify-center rounded-control font-semibold uppercase',
        sizes[size],
        quiet ? 'bg-line text-ink-second' : 'bg-brand-tint text-brand',
      )}
    >
      {[...title.trim()][0] ?? '·'}
    </span>
  )
}
