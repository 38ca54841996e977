/** The first link for keyboard users: it skips the menus. */
export function SkipLink({ label }: { label: string }) {
  return (
    <a
      href="#main"
      className="absolute top-2 left-[calc(0.5rem+env(safe-area-inset-left))] z-50 -translate-y-24 rounded-control bg-brand px-4 py-2.5 font-medium text-brand-ink focus:translate-y-0 print:hidden"
    >
      {label}
    </a>
  )
}
