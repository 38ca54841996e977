import { Guilloche } from '@/components/look/guilloche'
import { Avatar } from '@/components/ui/avatar'

type Props = { initials: string; picture: string | null; title: string; text: string }

/** The person on a guilloche, as in a passport. `title` is the page's heading, `picture` the picture's address. */
export function PersonCard({ initials, picture, title, text }: Props) {
  return (
    <div className="relative isolate flex items-center gap-4 overflow-clip rounded-card bg-brand-tint p-4 @min-[40rem]:p-6">
      <Guilloche form="rosette" className="top-1/2 -right-36 -z-20 w-80 -translate-y-1/2 @min-[40rem]:-right-24" />
      <div className="absolute inset-0 -z-10 bg-linear-to-r from-85% from-brand-tint to-transparent @min-[40rem]:hidden" />
      <Avatar initials={initials} src={picture} size="L" className="bg-surface uppercase" />
      <div className="min-w-0 @max-[40rem]:pr-3">
        <h1 className="wrap-anywhere text-title">{title}</h1>
        <p className="wrap-anywhere text-ink-second text-table">{text}</p>
      </div>
    </div>
  )
}
