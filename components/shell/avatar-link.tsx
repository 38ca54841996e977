import Link from 'next/link'
import { Avatar } from '../ui/avatar'

type Props = {
  initials: string
  picture: string | null
  label: string
  href: string
  /** Whether it loads the whole page, from a page without Next's script. */
  loads?: boolean
}

/** The person's picture or initials, linked to the profile. `picture` is its address. */
export function AvatarLink({ initials, picture, label, href, loads = false }: Props) {
  const Anchor = loads ? 'a' : Link
  return (
    <Anchor
      href={href}
      {...(!loads && { prefetch: false })}
      title={label}
      className="flex size-11 shrink-0 items-center justify-center rounded-full sm:pointer-fine:size-9"
    >
      <Avatar initials={initials} src={picture} className="uppercase sm:pointer-fine:size-9" />
      <span className="sr-only">{label}</span>
    </Anchor>
  )
}
