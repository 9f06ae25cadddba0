import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../setup/programs.ts';

const run = promisify(execFile);

/** Media properties from ffprobe. */
export interface MediaProperties {
  durationSeconds: number;
  width: number;
  height: number;
  /** Codec by stream type. */
  codecs: Record<string, string>;
}

/** Probes a media file. */
export async function probe(file: string): Promise<MediaProperties> {
  const ffprobe = findProgram('ffmpeg')!.replace(/ffmpeg$/, 'ffprobe');
  const { stdout } = await run(ffprobe, [
    '-v',
    'error',
    '-show_format',
    '-show_streams',
    '-of',
    'json',
    file,
  ]);
  const { format, streams } = JSON.parse(stdout) as {
    format: { duration: string };
    streams: { codec_type: string; codec_name: string; width?: number; height?: number }[];
  };
  const videoStream = streams.find((stream) => stream.codec_type === 'video');
  return {
    durationSeconds: Number(format.duration),
    width: videoStream?.width ?? 0,
    height: videoStream?.height ?? 0,
    codecs: Object.fromEntries(streams.map((stream) => [stream.codec_type, stream.codec_name])),
  };
}

/** Peak volume of a file in dB relative to full scale; silence is far below -60. */
export async function measurePeakVolume(file: string): Promise<number> {
  const { stderr } = await run(findProgram('ffmpeg')!, [
    '-hide_banner',
    '-i',
    file,
    '-af',
    'volumedetect',
    '-vn',
    '-f',
    'null',
    '-',
  ]);
  return Number(/max_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? -Infinity);
}

/**
 * Renders a script with espeak-ng and visualizes it with ffmpeg. Returns the properties of the
 * result.
 */
export async function renderClip(
  folder: string,
  name: string,
  { script, features }: { script: string; features?: { aspect?: string } },
): Promise<MediaProperties & { bytes: number; sha256: string }> {
  const voiceFile = join(folder, `${name}.wav`);
  const file = join(folder, `${name}.mp4`);
  const [width, height] = features?.aspect === '9:16' ? [360, 640] : [640, 360];
  const narration = run(
    findProgram('espeak-ng')!,
    ['-v', 'en-us', '-s', '190', '-w', voiceFile, '--stdin'],
    { timeout: 60_000 },
  );
  narration.child.stdin!.end(script);
  await narration;
  const background = `gradients=s=${width}x${height}:r=10:c0=0x14213d:c1=0x2a9d8f`;
  const waves = `[1:a]showwaves=s=${width}x120:mode=cline:r=10:colors=white[waves];[0:v][waves]overlay=0:${height - 150}:shortest=1,format=yuv420p[picture]`;
  const encoderArgs = [
    '-map',
    '[picture]',
    '-map',
    '1:a',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
    '-shortest',
  ];
  await run(
    findProgram('ffmpeg')!,
    [
      '-hide_banner',
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      background,
      '-i',
      voiceFile,
      '-filter_complex',
      waves,
      ...encoderArgs,
      file,
    ],
    { timeout: 120_000 },
  );
  const bytes = await readFile(file);
  return {
    ...(await probe(file)),
    bytes: (await stat(file)).size,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}
