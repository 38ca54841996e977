import { cn } from './cn'

const sizes = { S: 'size-8 text-note', M: 'size-10 text-table', L: 'size-16 text-title', XL: 'size-24 text-title' }

type Props = {
  /** The person's initials, shown if there is no picture. */
  initials: string
  /** The picture's address. */
  src?: string | null
  size?: keyof typeof sizes
  className?: string
}

/** A person's picture or initials. Screen readers skip it, because the name is beside it. */
export function Avatar({ initials, src, size = 'M', className }: Props) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-flex shrink-0 select-none items-center justify-center overflow-clip rounded-full bg-brand-tint font-semibold text-brand',
        sizes[size],
        className,
      )}
    >
      {src ? (
        // biome-ignore lint/performance/noImgElement: pictures come resized from our own address, to signed-in people alone
        <img src={src} alt="" className="size-full object-cover" />
      ) : (
        initials
      )}
    </span>
  )
}
