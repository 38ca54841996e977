import { cn } from './cn'

const icon =
  (...paths: string[]) =>
  ({ className }: { className?: string }) => (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={cn('shrink-0', className)}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )

const ring = 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0'

/* Lucide's icons without its runtime: its 2 KB are too much for public pages, whose scripts must stay small. */
export const Circle = icon(ring)
export const CircleAlert = icon(ring, 'M12 8v4', 'M12 16h.01')
export const CircleCheck = icon(ring, 'm16 9-5.5 5.5L8 12')
export const Info = icon(ring, 'M12 16v-4', 'M12 8h.01')
export const TriangleAlert = icon(
  'm21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3',
  'M12 9v4',
  'M12 17h.01',
)
/** A half-filled disc. */
export const Contrast = icon(ring, 'M12 6v12a6 6 0 0 0 0-12')
export const Check = icon('M20 6 9 17l-5-5')
export const ChevronDown = icon('m6 9 6 6 6-6')
export const User = icon('M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2', 'M16 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0')
export const Eye = icon(
  'M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0',
  'M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0',
)
export const EyeOff = icon(
  'M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.747 10.747 0 0 1-1.444 2.49',
  'M14.084 14.158a3 3 0 0 1-4.242-4.242',
  'M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143',
  'm2 2 20 20',
)
