import { Skeleton } from '@mantine/core'

/** A panel that is still read: a title and lines. */
export const PanelSkeleton = ({ lines }: { readonly lines: number }) => (
  <div className="panel" style={{ padding: '1.25rem 1rem' }}>
    <Skeleton height={16} width={140} mb="lg" />
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike
      <Skeleton key={line} height={12} mb="md" width={`${55 + ((line * 17) % 40)}%`} />
    ))}
  </div>
)
