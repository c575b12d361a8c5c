"""`biasscope benchmark`: hardened benchmarks, and what people say about them."""

from __future__ import annotations

import typer

from biasscope.cli import agreement, benchmark_build, benchmark_publish, rank, review
from biasscope.cli.output import require_command

app = typer.Typer(help="Hardened benchmarks: build, review, publish and rank.")


@app.callback(invoke_without_command=True)
def _group(context: typer.Context) -> None:
    require_command(context)


app.command("build", epilog=benchmark_build.BUILD_EXAMPLE)(benchmark_build.build)
app.command("filter", epilog=benchmark_build.FILTER_EXAMPLE)(benchmark_build.filter_)
app.command("review", epilog=review.EXAMPLE)(review.review)
app.command("agreement")(agreement.agreement)
app.command("publish", epilog=benchmark_publish.EXAMPLE)(benchmark_publish.publish)
app.command("rank", epilog=rank.EXAMPLE)(rank.rank)
