import Link from 'next/link'

/** The person's initials, until there is a picture; leads to the profile. */
export function AvatarLink({ initials, label, href }: { initials: string; label: string; href: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-label={label}
      title={label}
      className="flex size-11 shrink-0 items-center justify-center rounded-full sm:pointer-fine:size-9"
    >
      <span
        aria-hidden="true"
        className="flex size-9 items-center justify-center rounded-full bg-brand-tint font-semibold text-brand text-note uppercase"
      >
        {initials}
      </span>
    </Link>
  )
}
