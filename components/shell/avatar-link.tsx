import Link from 'next/link'
import { Avatar } from '../ui/avatar'

/** The person's initials, linked to the profile. */
export function AvatarLink({ initials, label, href }: { initials: string; label: string; href: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      title={label}
      className="flex size-11 shrink-0 items-center justify-center rounded-full sm:pointer-fine:size-9"
    >
      <Avatar initials={initials} className="uppercase sm:pointer-fine:size-9" />
      <span className="sr-only">{label}</span>
    </Link>
  )
}
